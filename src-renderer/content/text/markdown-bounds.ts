/** Levels of quotes and lists, each of which costs parser and page a recursion. Readers cannot tell apart more. */
const MAX_DEPTH = 50
/** Characters per block whose cost in Markdown grows faster than their number. */
const MAX_COUNTS: Readonly<Record<string, number>> = {
  '[': 1_000,
  '*': 4_000,
  _: 4_000,
  '~': 2_000,
  '|': 2_000,
  '`': 4_000,
  '<': 2_000,
  '&': 1_000,
}
const FOOTNOTES = 100
const CONTAINER = /[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y

/** A fence at the beginning of a block: characters of code are not counted. */
const FENCED = /^ {0,3}(?:(`{3,})[^`\n]*|(~{3,})[^\n]*)(?:\n|$)/

/** True if the cost of parsing a block is proportional to its length. Reads each character a bounded number of times. */
export function isBounded(text: string): boolean {
  const block = afterFence(text)
  const counts = new Map<string, number>()
  for (const character of block) {
    const most = MAX_COUNTS[character]
    if (most === undefined) continue
    const count = (counts.get(character) ?? 0) + 1
    if (count > most) return false
    counts.set(character, count)
  }
  if ((block.match(/\[\^/g)?.length ?? 0) > FOOTNOTES) return false
  return block.split('\n').every((line) => depthOf(line) <= MAX_DEPTH)
}

/** The text after code at the beginning of a block, else the whole block. */
function afterFence(text: string): string {
  const opening = FENCED.exec(text)
  if (!opening) return text
  const mark = opening[1] ?? opening[2] ?? ''
  const lines = text.slice(opening[0].length).split('\n')
  const end = lines.findIndex((line) => {
    const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
    return closing?.startsWith(mark)
  })
  return end < 0 ? '' : lines.slice(end + 1).join('\n')
}

/** Containers that a line opens, or is indented into, with at least two columns each. */
function depthOf(line: string): number {
  let depth = 0
  CONTAINER.lastIndex = 0
  while (depth <= MAX_DEPTH && CONTAINER.test(line)) depth += 1
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0
  return Math.max(depth, Math.floor(indent / 4))
}
