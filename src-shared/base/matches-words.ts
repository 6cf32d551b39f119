/** Whether every word of a query is somewhere in a text, whatever its case. */
export function matchesWords(text: string, query: string): boolean {
  const lower = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
