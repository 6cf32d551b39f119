import { UNSPACED } from '../../../src-shared/base/unspaced.ts'

const MAX_WORDS = 16
const MAX_WORD_LENGTH = 64
const EACH_UNSPACED = new RegExp(UNSPACED, 'gu')
/** A zero-width space ends a word for FTS5 and is invisible. */
const SEPARATOR = '\u200b'

/** Makes each character of scripts without spaces a word, so that any run of them is found as a phrase. */
export function separate(text: string): string {
  return text.replace(EACH_UNSPACED, `$&${SEPARATOR}`)
}

export function rejoin(text: string): string {
  return text.replaceAll(SEPARATOR, '')
}

/** Quotes every word as a prefix, so that no input is read as FTS5 syntax. Undefined without a word. */
export function matchExpression(query: string): string | undefined {
  const words = query.match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, MAX_WORDS)
  return words?.map((word) => `"${separate([...word].slice(0, MAX_WORD_LENGTH).join(''))}"*`).join(' ')
}
