export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Comparing more pairs takes too long: all lines count as replaced. */
const PAIR_LIMIT = 1_000_000

export function lineDiff(before: string, now: string): readonly DiffLine[] {
  const a = linesOf(before, now)
  const b = linesOf(now, before)
  if (a.length * b.length > PAIR_LIMIT) return [...a.map(removed), ...b.map(added)]
  // Lines are compared by number, since long lines may differ only in their last character.
  const numbers = new Map([...new Set([...a, ...b])].map((line, number) => [line, number]))
  const [an, bn] = [a.map((line) => numbers.get(line)), b.map((line) => numbers.get(line))]
  const width = b.length + 1
  // common[i * width + j]: how many lines a[i…] and b[j…] have in common, in order.
  const common = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = an[i] === bn[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && an[i] === bn[j]) {
      lines.push({ kind: 'same', text: left })
      i++
      j++
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left))
      i++
    } else if (right !== undefined) {
      lines.push(added(right))
      j++
    }
  }
  return lines
}

/** An empty text has no line. Compared with none, the break at the end of a text begins no line. */
const linesOf = (text: string, other: string): readonly string[] =>
  text === '' ? [] : (other === '' ? text.replace(/\n$/, '') : text).split('\n')

const removed = (text: string): DiffLine => ({ kind: 'removed', text })
const added = (text: string): DiffLine => ({ kind: 'added', text })
