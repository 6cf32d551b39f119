const OPEN_LINES = 20
const OPEN_CHARS = 4000

/** The beginning of a text that is shown without unfolding. */
export function firstLines(text: string, most = OPEN_LINES, chars = OPEN_CHARS): string {
  const lines = text.split('\n', most + 1)
  const head = lines.length > most ? lines.slice(0, most).join('\n') : text
  return head.length > chars ? head.slice(0, chars) : head
}
