/** A character that opens a list, and its index in the text. */
export interface CaretQuery {
  readonly char: '@' | '/'
  readonly at: number
}

/** Characters that open a list: `@` at the start or after a space, `/` as the first character of a message. */
export function askedBy(letter: string | null, text: string, caret: number): CaretQuery | undefined {
  const at = caret - 1
  if (letter === '@' && (at === 0 || /\s/.test(text[at - 1] ?? ''))) return { char: '@', at }
  if (letter === '/' && text === '/') return { char: '/', at: 0 }
  return undefined
}

/** An address of a web page, which may be longer than a search. */
export const isAddress = (query: string) => /^https?:\/\/[^\s/]\S*$/i.test(query) && query.length <= 2048

/** The text between that character and the caret; undefined once it is neither a search nor an address. */
export function queryOf({ char, at }: CaretQuery, text: string, caret: number): string | undefined {
  if (text[at] !== char || caret <= at) return undefined
  const query = text.slice(at + 1, caret)
  return /^\s|\n/.test(query) || (query.length > 100 && !isAddress(query)) ? undefined : query
}

/** The most offers shown at once; typing narrows them. */
export const SHOWN = 50

/** Sorts names that begin with the search before those that contain it, and these before those in which its letters are scattered. */
export function nearestFirst<T>(
  found: readonly T[],
  query: string,
  names: (one: T) => readonly (string | undefined)[],
): readonly T[] {
  const places = (one: T) => names(one).map((name) => name?.toLowerCase().indexOf(query.toLowerCase()) ?? -1)
  const far = (one: T) => (places(one).includes(0) ? 0 : places(one).some((at) => at > 0) ? 1 : 2)
  return [...found].sort((a, b) => far(a) - far(b)).slice(0, SHOWN)
}
