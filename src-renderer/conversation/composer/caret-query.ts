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

/** The text between that character and the caret; undefined once it cannot be a search. */
export function queryOf({ char, at }: CaretQuery, text: string, caret: number): string | undefined {
  if (text[at] !== char || caret <= at) return undefined
  const query = text.slice(at + 1, caret)
  return /^\s|\n/.test(query) || query.length > 100 ? undefined : query
}
