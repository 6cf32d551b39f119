import type { SearchHit } from '../../../src-shared/contract/conversations.ts'
import { rejoin } from './search-words.ts'

/** Surround each match in a snippet. In a text that contains them, the wrong words are marked. */
export const [MARK, UNMARK] = ['\u0002', '\u0003']

/** Lines of marks alone: a fence of code, a rule, the line below a table's head. */
const MARKS_ALONE = /^[ \t]*(?:`{3,}[\w+-]*|[-*_]{3,}|\|[ |:-]*-[ |:-]*)$\n?/gm
/** Headings, quotes and items. */
const OPENINGS = /^[ \t]*(?:(?:#{1,6}|>|[-*+])[ \t]+)+/gm
/** A match inside an address keeps its link, so that its mark is seen. Underscores stay: they are in names more often than around words. */
const INLINE =
  /(?<!`)(?<ticks>`{1,2})(?!`)(?<code>(?:[^`\n]|(?<=[^`])`(?=[^`]))+?)\k<ticks>(?!`)|!?\[(?<link>[^[\]\n]*)\]\([^()\s\u0002]*\)|(?<![\p{L}\p{N}*\u0003])(?<stars>\*{1,3}|~~)(?=\S)(?<strong>[^*~\n]+)(?<=\S)\k<stars>(?![\p{L}\p{N}*\u0002])/gu

/** The words of a snippet without Markdown, and where its matches are. */
export function excerptOf(snippet: string): Pick<SearchHit, 'excerpt' | 'marks'> {
  const marks: (readonly [number, number])[] = []
  let excerpt = ''
  for (const piece of withoutMarkdown(snippet).split(MARK)) {
    const end = piece.indexOf(UNMARK)
    const word = end < 0 ? '' : rejoin(piece.slice(0, end))
    if (word !== '') marks.push([excerpt.length, excerpt.length + word.length])
    excerpt += word + rejoin(piece.slice(end + 1)).replaceAll(UNMARK, '')
  }
  return { excerpt, marks }
}

const withoutMarkdown = (text: string) => inline(text.replace(MARKS_ALONE, '').replace(OPENINGS, ''))

function inline(text: string): string {
  return text.replace(INLINE, (...found) => {
    const { code, link, strong = '' } = found.at(-1) as Partial<Record<string, string>>
    return code ?? inline(link ?? strong)
  })
}
