/** True if a text contains every word of a query, ignoring case. */
export function matchesWords(text: string, query: string): boolean {
  const lower = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

/** True if a text contains the letters of a word in order, with or without others in between. */
export function isScattered(text: string, word: string): boolean {
  let from = 0
  for (const letter of word) {
    const at = text.indexOf(letter, from)
    if (at < 0) return false
    from = at + letter.length
  }
  return true
}
