/** Characters of a text that is kept. */
const LONGEST = 10_000

/** The same pure function, with what it said of at most so many texts at hand. */
export function remembered<T>(most: number, say: (text: string) => T): (text: string) => T {
  const said = new Map<string, T>()
  return (text) => {
    if (text.length > LONGEST) return say(text)
    const known = said.get(text)
    if (known !== undefined || said.has(text)) return known as T
    const value = say(text)
    if (said.size >= most) said.clear()
    said.set(text, value)
    return value
  }
}
