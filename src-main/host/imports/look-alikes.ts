/** Words that a publisher's name may have more or less without being another one to the eye. */
const EXTRA = new Set('official org hq inc team'.split(' '))
const MAX_EDITS = 2
const MAX_LENGTH = 200

/** The first of `others` that a name can be mistaken for: one of another publisher that looks the same or is within two edits. */
export function lookAlike(name: string, others: readonly string[]): string | undefined {
  const seen = outline(name)
  const publisher = publisherOf(name)
  return others.find((other) => publisherOf(other) !== publisher && withinEdits(seen, outline(other)))
}

const publisherOf = (name: string) => name.split('/')[0]?.toLowerCase()

/** The name as it looks at a glance: without case, punctuation and words that say nothing, with like characters made one. */
function outline(name: string): string {
  const words = name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return words
    .filter((word) => !EXTRA.has(word))
    .join('')
    .replace(/[1i]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('5', 's')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

/** Levenshtein's distance, row by row. */
function withinEdits(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > MAX_EDITS) return false
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(same, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > MAX_EDITS) return false
    row = next
  }
  return (row.at(-1) ?? 0) <= MAX_EDITS
}
