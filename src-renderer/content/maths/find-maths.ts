import { MAX_DISPLAY } from './longest-display.ts'

/** A formula: the range with its delimiters, and the TeX between them. */
export interface Maths {
  readonly from: number
  readonly to: number
  readonly tex: string
  readonly display: boolean
}

/** Maximum characters of an inline formula. */
const MAX_INLINE = 2_000
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/
/** A delimiter, a run of backticks, or an escaped character. */
const MARKS = /\\[\s\S]|\$+|`+|\n/g
const BLANK_LINE = /\n[ \t>]*\n/

/**
 * Finds the TeX that models write: `$$…$$`, `\[…\]`, `\(…\)` and `$…$`, outside of code. A single dollar is a price unless the
 * formula touches both dollars and no letter or digit follows: "$5 and $10" has none.
 */
export function findMaths(text: string): readonly Maths[] {
  const found: Maths[] = []
  const ends = backtickRuns(text)
  let fence = fenceAt(text, 0)
  MARKS.lastIndex = 0
  for (let match = MARKS.exec(text); match; match = MARKS.exec(text)) {
    const [mark] = match
    const at = match.index
    if (mark === '\n') {
      const here = fenceAt(text, at + 1)
      if (here === '') continue
      if (fence === '') fence = here
      else if (here.startsWith(fence)) fence = ''
      else continue
      // Nothing else stands on the line of a fence.
      const lineEnd = text.indexOf('\n', at + 1)
      if (lineEnd < 0) break
      MARKS.lastIndex = lineEnd
      continue
    }
    if (fence !== '') continue
    if (mark.startsWith('`')) {
      // An unclosed run of backticks is text.
      const close = ends.get(mark.length)?.find((end) => end > at)
      if (close !== undefined) MARKS.lastIndex = close + mark.length
      continue
    }
    const formula = formulaAt(text, at, mark)
    if (!formula) continue
    found.push(formula)
    MARKS.lastIndex = formula.to
  }
  return found
}

function formulaAt(text: string, at: number, mark: string): Maths | undefined {
  switch (mark) {
    case '$':
      return dollars(text, at)
    case '$$':
      return between(text, at, '$$', true)
    case '\\(':
      return between(text, at, '\\)', false)
    case '\\[': {
      const formula = between(text, at, '\\]', true)
      // Escaped brackets are Markdown, too, so a plain note in brackets is not a formula.
      return formula && /[\\^_=+<>]/.test(formula.tex) ? formula : undefined
    }
    default:
      return undefined
  }
}

function between(text: string, at: number, close: string, display: boolean): Maths | undefined {
  const start = at + 2
  const most = display ? MAX_DISPLAY : MAX_INLINE
  const length = text.slice(start, start + most + close.length).indexOf(close)
  if (length < 0) return undefined
  const inside = text.slice(start, start + length)
  const alone = display && /^[ \t]*\n/.test(inside)
  if (BLANK_LINE.test(inside) && !alone) return undefined
  const tex = withoutQuoteMarks(text, at, inside).trim()
  return tex === '' ? undefined : { from: at, to: start + length + close.length, tex, display }
}

/** In a quote, each line of a formula begins with the quote's mark. */
function withoutQuoteMarks(text: string, at: number, inside: string): string {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  return line.trimStart().startsWith('>') ? inside.replace(/\n[ \t]*>/g, '\n') : inside
}

function dollars(text: string, at: number): Maths | undefined {
  const before = text[at - 1] ?? ' '
  const first = text[at + 1] ?? ' '
  if (/[\p{L}\p{N}]/u.test(before) || /\s/.test(first)) return undefined
  const length = /(?<!\\)(?:\\\\)*\$/.exec(text.slice(at + 1, at + 2 + MAX_INLINE))
  if (!length) return undefined
  const end = at + 1 + length.index + length[0].length - 1
  const tex = text.slice(at + 1, end)
  if (tex === '' || /\s$/.test(tex) || /[\p{L}\p{N}$]/u.test(text[end + 1] ?? ' ') || BLANK_LINE.test(tex)) return undefined
  return isPrice(tex) ? undefined : { from: at, to: end + 1, tex, display: false }
}

/** True for a price followed by words, when the dollar of a second price ends it. */
function isPrice(tex: string): boolean {
  return /^[\d.,]/.test(tex) && /[\s/–-]\p{L}{2,}/u.test(tex) && !/[\\^_=]/.test(tex)
}

function fenceAt(text: string, lineStart: number): string {
  return FENCE.exec(text.slice(lineStart, lineStart + 200))?.[1] ?? ''
}

/** Offsets of runs of backticks, by their length. */
function backtickRuns(text: string): ReadonlyMap<number, readonly number[]> {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const same = runs.get(run.length)
    if (same) same.push(index)
    else runs.set(run.length, [index])
  }
  return runs
}
