/** "812 bytes", "14.2 KB", "3 MB". */
export function bytes(count: number): string {
  if (count < 1000) return `${count} ${count === 1 ? 'byte' : 'bytes'}`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = count
  let unit = -1
  do {
    value /= 1000
    unit += 1
  } while (value >= 999.95 && unit < units.length - 1)
  return `${value.toFixed(1).replace(/\.0$/, '')} ${units[unit]}`
}

/** With a thousands separator: "12,480". */
export function grouped(count: number): string {
  return count.toLocaleString('en')
}

/** "1 tool", "3 tools". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** "A", "A and B", "A, B and C". */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last
}

/** An estimate: "≈ $0.012", "≈ $3.40". */
export function aboutDollars(amount: number): string {
  if (amount < 0.0001) return '< $0.0001'
  return `≈ $${amount < 1 ? `${Number(amount.toPrecision(2))}` : amount.toFixed(2)}`
}
