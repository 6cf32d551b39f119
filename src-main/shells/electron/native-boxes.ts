import type { MessageBoxOptions } from 'electron'

export const DENY = 0
export const ALLOW = 1
/** The text that fits a native box, which does not scroll. */
const LINE = 100
const LINES = 24
/** A Mac's box is narrow and wraps most lines once more: wider, in points, and with half the lines. */
const MAC = { textWidth: 640, lines: 12 }
/** The most lines that a person can be expected to read. */
const MAX_LINES = 12 * LINES

interface BoxTexts {
  readonly message: string
  /** Above the lines: what Parley will do. */
  readonly intro: string
  /** Escaped and never cut. */
  readonly lines: readonly string[]
  /** Below the last line. */
  readonly advice: string
}

/**
 * Boxes for a permission that a page cannot give, one after another, with "Allow" on the last. The default is Deny, also for closing
 * one. Undefined when the text is too long to read.
 */
export function nativeBoxes(
  { message, intro, lines, advice }: BoxTexts,
  os: string = process.platform,
): readonly MessageBoxOptions[] | undefined {
  const rows = lines.map(escaped).flatMap(wrapped)
  if (rows.length > MAX_LINES) return undefined
  const mac = os === 'darwin'
  const size = mac ? MAC.lines : LINES
  const pages = Math.ceil(rows.length / size)
  return Array.from({ length: pages }, (_, page) => {
    const shown = rows.slice(page * size, (page + 1) * size).join('\n')
    const last = page === pages - 1
    const place = pages > 1 ? ` (page ${page + 1} of ${pages})` : ''
    return {
      type: 'warning',
      title: 'Parley',
      message,
      detail: `${intro}${place}:\n\n${shown}${last ? `\n\n${advice}` : ''}`,
      buttons: ['Deny', last ? 'Allow' : 'Next'],
      defaultId: DENY,
      cancelId: DENY,
      noLink: true,
      ...(mac && { textWidth: MAC.textWidth }),
    }
  })
}

/** An escaped and shortened name for a message; the lines below have it in full. */
export function boxName(name: string): string {
  return escaped(name).slice(0, 200)
}

/** Wraps a line; continuations are indented. */
function wrapped(line: string): string[] {
  const rows = line.match(new RegExp(`.{1,${LINE}}`, 'gsu')) ?? ['']
  return rows.map((row, n) => (n === 0 ? row : `  ${row}`))
}

/** Makes line breaks, control, direction and zero-width characters visible. */
function escaped(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`)
}
