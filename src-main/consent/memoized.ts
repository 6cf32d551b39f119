/** Characters of a cached text. */
const MAX_KEY_LENGTH = 10_000

/** Caches a pure function for at most `most` texts. */
export function memoized<T>(most: number, say: (text: string) => T): (text: string) => T {
  const said = new Map<string, T>()
  return (text) => {
    if (text.length > MAX_KEY_LENGTH) return say(text)
    const known = said.get(text)
    if (known !== undefined || said.has(text)) return known as T
    const value = say(text)
    if (said.size >= most) said.clear()
    said.set(text, value)
    return value
  }
}
