import { UNSPACED } from '../../src-shared/base/unspaced.ts'
import { findText, literally } from './find-text.ts'

const NAME = 'search'

/** Marks the words for which a message was gone to, until they are unmarked; returns the first place. */
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
  return UNSPACED.test(word) ? literally(word) : `(?<![\\p{L}\\p{N}])${literally(word)}(?![\\p{L}\\p{N}])`
}
