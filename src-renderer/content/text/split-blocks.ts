import { MAX_DISPLAY } from '../maths/longest-display.ts'

/** Markdown cut where blocks end, so that finished blocks are parsed once while the last one still grows. */
export interface MarkdownBlock {
  /** Where it starts in the text; stable while the text grows. */
  readonly at: number
  readonly text: string
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** A formula on lines of its own, which does not end where it begins; blank lines may be inside. */
const MATHS = /^ {0,3}(?:(\$\$)(?!.*\$\$)|(\\\[)(?!.*\\\]))/
const CONTINUES = /^(?: {2,}|\t|[-*+] |\d{1,9}[.)] |>|\|)/
/** The beginning of a line that has not arrived whole and may still turn into one of those. */
const MAY_CONTINUE = /^(?:\d{1,9}[.)]?|[-*+])$/
const ITEM = /^(?:[-*+]|\d{1,9}[.)]) /
const TABLE_HEAD = /^\|.*\n\|[ \t:|]*-[ \t:|-]*\r?\n/
/** Longer ones of these are cut at a seam, since a block is parsed again whenever it grows. */
const LONG = 6000
/** Every block that may use them gets them. */
const MAX_DEFINITIONS = 100
const DEFINITION = /^ {0,3}\[([^[\]\n]{1,200})\]:[ \t]*\S/
const REFERENCE = /\[([^[\]]{1,200})\]/g
/** Characters that definitions may add to a text in all: each is read again in every block that names it. */
const MAX_REPEATED = 200_000

/** How a block begins, found out once: it may have thousands of lines at which it could be cut. */
interface Opening {
  readonly text: string
  readonly tableHead: string | undefined
}

function openingOf(text: string): Opening {
  return { text, tableHead: TABLE_HEAD.exec(text)?.[0] }
}

/**
 * True if a block of this length can be cut before this line: a list before an item of its own, a quote at an empty line (or
 * anywhere, when it has none for very long), a table before a row. Gives what must stand before the rest: the table's head.
 */
function seamBefore(line: string, { text: block, tableHead }: Opening, length: number): string | undefined {
  if (line.startsWith('|')) return tableHead
  if (line.startsWith('>')) return block.startsWith('>') && (line.trim() === '>' || length > 2 * LONG) ? '' : undefined
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
  const definitions: Definitions = new Map()
  let start = 0
  let at = 0
  let fence = ''
  /** The delimiter that ends the open formula, and the line where it began. */
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

/** By label: where each stands, and its line. */
type Definitions = Map<string, { readonly at: number; readonly line: string }>

/** As Markdown compares them. */
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
