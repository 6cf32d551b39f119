const COLOURS = /\u001b\[[0-9;]{0,40}m/g

/** A program's output without the marks that colour it in a terminal. Every other control character stays and is shown. */
export function withoutColours(text: string): string {
  return text.replace(COLOURS, '')
}
