/** Markdown cut where blocks end, so that finished blocks are parsed once while the last one still grows. */
export interface MarkdownBlock {
  /** Where it starts in the text; stable while the text grows. */
  readonly at: number
  readonly text: string
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const CONTINUES = /^(?: {2,}|\t|[-*+] |\d{1,9}[.)] |>|\|)/
/** The beginning of a line that has not arrived whole and may still turn into one of those. */
const MAY_CONTINUE = /^(?:\d{1,9}[.)]?|[-*+])$/
/** Where a list or a quote can be cut, and is when it has become this long: an item of the list itself, an empty line of the quote. */
const SEAM = /^(?:[-*+] |\d{1,9}[.)] |>\s*$)/
const LONG = 6000
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:[ \t]*\S/

/** A list goes on with its items, a quote with its lines. */
const sameKind = (text: string, start: number, line: string) => {
  const first = text.slice(start, start + 12)
  if (line.startsWith('>')) return first.startsWith('>')
  return /^\d/.test(line) ? /^\d{1,9}[.)] /.test(first) : first.startsWith(line.slice(0, 2))
}

/**
 * Cuts at blank lines outside of code fences, unless the next line may belong to what came before (lists, quotes, tables,
 * indented text); and long lists and quotes at their seams, since a block is parsed anew whenever it grows. Link definitions are repeated in every block that may use them.
 */
export function splitBlocks(text: string): readonly MarkdownBlock[] {
  const blocks: { at: number; text: string }[] = []
  const definitions: string[] = []
  let start = 0
  let at = 0
  let fence = ''
  let blank = false
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== '') {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = ''
      blank = false
    } else if (line.trim() === '') {
      blank = true
    } else {
      const arriving = at + line.length === text.length
      const apart = blank && at > start && !CONTINUES.test(line) && !(arriving && MAY_CONTINUE.test(line))
      const seam = at - start > LONG && !arriving && SEAM.test(line) && sameKind(text, start, line)
      if (apart || seam) {
        blocks.push({ at: start, text: text.slice(start, at) })
        start = at
      }
      blank = false
      if (mark) fence = mark
      else if (DEFINITION.test(line)) definitions.push(line)
    }
    at += line.length + 1
  }
  if (start < text.length) blocks.push({ at: start, text: text.slice(start) })
  if (definitions.length === 0) return blocks
  const appendix = `\n\n${definitions.join('\n')}`
  return blocks.map((block) => (block.text.includes('[') ? { ...block, text: block.text + appendix } : block))
}
