/** “a, b and c”, never shortened: the words of a rule name everything that it covers. */
export function nameList(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last
}
