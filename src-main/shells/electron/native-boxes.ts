import type { MessageBoxOptions } from 'electron'

export const DENY = 0
export const ALLOW = 1
/** The amount of text that a native box shows at once, since it does not scroll. */
const LINE = 100
const LINES = 24
/** A Mac's is narrow, and breaks most lines once more: wider than it would be, in points, and with half as much. */
const MAC = { textWidth: 640, lines: 12 }
/** The amount of text that a person can be expected to read. */
const MAX_LINES = 12 * LINES

interface BoxTexts {
  readonly message: string
  /** Stands above the lines: what Parley will do. */
  readonly intro: string
  /** Shown exactly: escaped, and cut nowhere. */
  readonly lines: readonly string[]
  /** Stands below the last of them. */
  readonly advice: string
}

/**
 * Boxes that alone can allow something in the desktop app, one after another, with "Allow" on the last. Deny is the default and what
 * closing one means. Undefined for what is too long to be read.
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

/** A name for a message: escaped, and bounded, for the lines below have it whole. */
export function boxName(name: string): string {
  return escaped(name).slice(0, 200)
}

/** Cut without losing a character; what goes on is set in. */
function wrapped(line: string): string[] {
  const rows = line.match(new RegExp(`.{1,${LINE}}`, 'gsu')) ?? ['']
  return rows.map((row, n) => (n === 0 ? row : `  ${row}`))
}

/** Line breaks, control, direction and zero-width characters become visible. */
function escaped(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`)
}
