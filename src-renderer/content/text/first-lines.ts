const OPEN_LINES = 20
const OPEN_CHARS = 4000

/** The beginning of a text, by default the part that is shown folded. */
export function firstLines(text: string, most = OPEN_LINES, chars = OPEN_CHARS): string {
  const lines = text.split('\n', most + 1)
  const head = lines.length > most ? lines.slice(0, most).join('\n') : text
  return head.length > chars ? head.slice(0, chars) : head
}

/** True if the rest of a text, after its head, has something to show. */
export const hides = (text: string, head: string): boolean => /\S/.test(text.slice(head.length))

/** The same for a comparison, with a note when something is missing. */
export function cutForDiff(text: string, lines: number, chars: number): string {
  const head = firstLines(text, lines, chars)
  return hides(text, head) ? `${head}\n… and more` : head
}
