/** Maximum characters of a piece, one or two pages. */
const PIECE = 4000
/** Assumed columns of a line before it is measured. */
const COLUMNS = 110

/** A part of a long text that is rendered as one. */
export interface TextPiece {
  readonly text: string
  /** Estimated lines on screen. */
  readonly lines: number
  /** True if it ends within a line. */
  readonly cut: boolean
}

/** Cuts at line ends, and within a line only if it alone is too long. The line ends between pieces are dropped. */
export function cutPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  for (let at = 0; at < text.length; ) {
    const limit = at + PIECE
    const lineEnd = limit >= text.length ? text.length - at : text.slice(at, limit + 1).lastIndexOf('\n')
    const whole = lineEnd >= 0
    const end = whole ? at + lineEnd : limit - Number(isHigh(text, limit - 1))
    const piece = text.slice(at, end)
    pieces.push({ text: piece, lines: linesOf(piece), cut: !whole })
    at = whole ? end + 1 : end
  }
  return pieces
}

/** Surrogate pairs stay together. */
function isHigh(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xd800 && code <= 0xdbff
}

function linesOf(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / COLUMNS)), 0)
}
