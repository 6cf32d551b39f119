/** Characters of a piece at most: a page or two of text. */
const PIECE = 4000
/** How wide a line is taken to be before it is measured. */
const COLUMNS = 110

/** A stretch of a long text that is built as one. */
export interface TextPiece {
  readonly text: string
  /** Lines that it probably takes on the screen. */
  readonly lines: number
  /** It ends in the middle of a line. */
  readonly cut: boolean
}

/** Cuts at line ends, and within lines only where one alone is too long. Nothing is lost: line ends go where pieces end. */
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

/** A pair of surrogates stays together. */
function isHigh(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xd800 && code <= 0xdbff
}

function linesOf(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / COLUMNS)), 0)
}
