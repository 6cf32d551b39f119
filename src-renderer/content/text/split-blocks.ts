import { MAX_DISPLAY } from '../maths/longest-display.ts'

/** A block of Markdown. Finished blocks are parsed once while the last one grows. */
interface MarkdownBlock {
  /** Its offset, stable while the text grows. */
  readonly at: number
  readonly text: string
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** A display formula that ends on a later line; it may contain blank lines. */
const MATHS = /^ {0,3}(?:(\$\$)(?!.*\$\$)|(\\\[)(?!.*\\\]))/
const CONTINUES = /^(?: {2,}|\t|[-*+] |\d{1,9}[.)] |>|\|)/
/** An incomplete line that may still become one of those. */
const MAY_CONTINUE = /^(?:\d{1,9}[.)]?|[-*+])$/
const ITEM = /^(?:[-*+]|\d{1,9}[.)]) /
const TABLE_HEAD = /^\|.*\n\|[ \t:|]*-[ \t:|-]*\r?\n/
/** Longer blocks of these kinds are cut, since a block is parsed again whenever it grows. */
const LONG = 6000
/** Definitions are repeated in every block that uses them. */
const MAX_DEFINITIONS = 100
const DEFINITION = /^ {0,3}\[([^[\]\n]{1,200})\]:[ \t]*\S/
const REFERENCE = /\[([^[\]]{1,200})\]/g
/** Characters that repeated definitions may add to a text. */
const MAX_REPEATED = 200_000

/** The beginning of a block, computed once for its possibly thousands of lines. */
interface Opening {
  readonly text: string
  readonly tableHead: string | undefined
}

function openingOf(text: string): Opening {
  return { text, tableHead: TABLE_HEAD.exec(text)?.[0] }
}

/**
 * Gives the text to repeat before the rest: the head of a table, or nothing. Undefined if no block may be cut before this line.
 * Lists are cut before an item, quotes at an empty line or anywhere when very long, tables before a row.
 */
function seamBefore(line: string, { text: block, tableHead }: Opening, length: number): string | undefined {
  if (line.startsWith('|')) return tableHead
  if (line.startsWith('>')) return block.startsWith('>') && (line.trim() === '>' || length > 2 * LONG) ? '' : undefined
  if (!ITEM.test(line)) return undefined
  const same = /^\d/.test(line) ? /^\d{1,9}[.)] /.test(block) : block.startsWith(line.slice(0, 2))
  return same ? '' : undefined
}

/**
 * Cuts at blank lines outside of code, unless the next line may continue a list, quote, table or indented text. Long lists, quotes
 * and tables are cut, too. Each block gets the link definitions that it uses.
 */
export function splitBlocks(text: string): readonly MarkdownBlock[] {
  const blocks: { at: number; text: string }[] = []
  const definitions: Definitions = new Map()
  let start = 0
  let at = 0
  let fence = ''
  /** The end mark of the open formula, and the offset where it began. */
  let maths: { readonly end: string; readonly at: number } | undefined
  let blank = false
  let repeated = ''
  let opening: Opening | undefined
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== '') {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = ''
      blank = false
    } else if (maths && at - maths.at < MAX_DISPLAY) {
      if (line.includes(maths.end)) maths = undefined
      blank = false
    } else if (line.trim() === '') {
      blank = true
    } else {
      const arriving = at + line.length === text.length
      const apart = blank && at > start && !CONTINUES.test(line) && !(arriving && MAY_CONTINUE.test(line))
      const long = at - start > LONG && !arriving
      if (long) opening ??= openingOf(repeated + text.slice(start, start + LONG / 2))
      const seam = long && opening ? seamBefore(line, opening, at - start) : undefined
      if (apart || seam !== undefined) {
        blocks.push({ at: start, text: repeated + text.slice(start, at) })
        start = at
        repeated = apart ? '' : (seam ?? '')
        opening = undefined
      }
      blank = false
      maths = mathsOpenedBy(line, at)
      if (mark) fence = mark
      else if (definitions.size < MAX_DEFINITIONS) {
        const label = DEFINITION.exec(line)?.[1]
        if (label !== undefined && !definitions.has(labelOf(label))) definitions.set(labelOf(label), { at, line })
      }
    }
    at += line.length + 1
  }
  if (start < text.length) blocks.push({ at: start, text: repeated + text.slice(start) })
  return definitions.size === 0 ? blocks : withDefinitions(blocks, definitions)
}

function mathsOpenedBy(line: string, at: number): { readonly end: string; readonly at: number } | undefined {
  const found = MATHS.exec(line)
  return found ? { end: found[1] ? '$$' : '\\]', at } : undefined
}

/** The offset and the line of each definition, by label. */
type Definitions = Map<string, { readonly at: number; readonly line: string }>

/** Labels as Markdown compares them. */
const labelOf = (label: string) => label.trim().replace(/\s+/g, ' ').toLowerCase()

function withDefinitions(blocks: readonly MarkdownBlock[], definitions: Definitions): readonly MarkdownBlock[] {
  let left = MAX_REPEATED
  return blocks.map((block, number) => {
    const end = blocks[number + 1]?.at ?? Number.POSITIVE_INFINITY
    const labels = new Set([...block.text.matchAll(REFERENCE)].map(([, label = '']) => labelOf(label)))
    const used = [...labels].flatMap((label) => {
      const found = definitions.get(label)
      return found && (found.at < block.at || found.at >= end) ? [found.line] : []
    })
    const appendix = used.join('\n')
    if (appendix === '' || appendix.length > left) return block
    left -= appendix.length
    return { ...block, text: `${block.text}\n\n${appendix}` }
  })
}
