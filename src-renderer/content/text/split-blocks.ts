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
const ITEM = /^(?:[-*+]|\d{1,9}[.)]) /
const TABLE_HEAD = /^\|.*\n\|[\s:|-]*-[\s:|-]*\n/
/** Longer ones of these are cut at a seam, since a block is parsed anew whenever it grows. */
const LONG = 6000
/** Every block that may use them gets them. */
const MOST_DEFINITIONS = 100
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:[ \t]*\S/

/**
 * Whether the block from `start` can be cut before this line: a list before an item of its own, a quote at an empty line (or
 * anywhere, when it has none for very long), a table before a row. Gives what must stand before the rest: the table's head.
 */
function seamBefore(line: string, text: string, start: number, at: number, repeated: string): string | undefined {
  const block = repeated + text.slice(start, start + LONG / 2)
  if (line.startsWith('|')) return TABLE_HEAD.exec(block)?.[0]
  if (line.startsWith('>')) return block.startsWith('>') && (line.trim() === '>' || at - start > 2 * LONG) ? '' : undefined
  if (!ITEM.test(line)) return undefined
  const same = /^\d/.test(line) ? /^\d{1,9}[.)] /.test(block) : block.startsWith(line.slice(0, 2))
  return same ? '' : undefined
}

/**
 * Cuts at blank lines outside of code fences, unless the next line may belong to what came before (lists, quotes, tables,
 * indented text); and long lists, quotes and tables at a seam. Link definitions are repeated in every block that may use them.
 */
export function splitBlocks(text: string): readonly MarkdownBlock[] {
  const blocks: { at: number; text: string }[] = []
  const definitions: string[] = []
  let start = 0
  let at = 0
  let fence = ''
  let blank = false
  let repeated = ''
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
      const seam = at - start > LONG && !arriving ? seamBefore(line, text, start, at, repeated) : undefined
      if (apart || seam !== undefined) {
        blocks.push({ at: start, text: repeated + text.slice(start, at) })
        start = at
        repeated = apart ? '' : (seam ?? '')
      }
      blank = false
      if (mark) fence = mark
      else if (definitions.length < MOST_DEFINITIONS && DEFINITION.test(line)) definitions.push(line)
    }
    at += line.length + 1
  }
  if (start < text.length) blocks.push({ at: start, text: repeated + text.slice(start) })
  if (definitions.length === 0) return blocks
  const appendix = `\n\n${definitions.join('\n')}`
  return blocks.map((block) => (block.text.includes('[') ? { ...block, text: block.text + appendix } : block))
}
