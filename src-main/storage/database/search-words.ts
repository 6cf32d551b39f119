import { UNSPACED } from '../../../src-shared/base/unspaced.ts'

const MAX_WORDS = 16
const MAX_WORD_LENGTH = 64
const EACH_UNSPACED = new RegExp(UNSPACED, 'gu')
/** A zero-width space, which ends a word for FTS5 and nobody sees. */
const SEAM = '\u200b'

/** Makes each character of such scripts a word, so that any run of them is found as a phrase. */
export function separate(text: string): string {
  return text.replace(EACH_UNSPACED, `$&${SEAM}`)
}

export function rejoin(text: string): string {
  return text.replaceAll(SEAM, '')
}

/** Every word as a quoted prefix, so that nothing a person types is read as FTS5 syntax. Undefined when there is no word. */
export function matchExpression(query: string): string | undefined {
  const words = query.match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, MAX_WORDS)
  return words?.map((word) => `"${separate([...word].slice(0, MAX_WORD_LENGTH).join(''))}"*`).join(' ')
}
