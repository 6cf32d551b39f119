import { UNSPACED } from '../../src-shared/base/unspaced.ts'
import { escapeRegExp, findText } from './find-text.ts'

const NAME = 'search'

/** Marks the searched words of a message until `unmarkWords`; returns the first match. */
export function markWords(message: Element, words: readonly string[]): Range | undefined {
  unmarkWords()
  if (words.length === 0) return undefined
  const found = findText(message, new RegExp(words.map(asWord).join('|'), 'giu'))
  CSS.highlights.set(NAME, new Highlight(...found))
  return found[0]
}

export function unmarkWords(): void {
  CSS.highlights.delete(NAME)
}

function asWord(word: string): string {
  return UNSPACED.test(word) ? escapeRegExp(word) : `(?<![\\p{L}\\p{N}])${escapeRegExp(word)}(?![\\p{L}\\p{N}])`
}
