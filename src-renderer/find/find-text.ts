/** Places found at once; more are not worth stepping through. */
export const MAX_FOUND = 1000

const INLINE = new Set([
  'A',
  'B',
  'BDI',
  'CODE',
  'DEL',
  'EM',
  'I',
  'KBD',
  'MARK',
  'S',
  'SPAN',
  'STRONG',
  'SUB',
  'SUP',
  'TIME',
  'U',
])

/** The pattern of a text, letter by letter. */
export const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Where a global pattern is shown inside `root`, in reading order. What is folded away is not shown. */
export function findText(root: Element, pattern: RegExp): readonly Range[] {
  const found: Range[] = []
  for (const block of blocksOf(root)) {
    const whole = block.map((node) => node.data).join('')
    for (const match of whole.matchAll(pattern)) {
      found.push(rangeOf(block, match.index, match.index + match[0].length))
      if (found.length === MAX_FOUND) return found
    }
  }
  return found
}

/** Text nodes that read as one run: highlighted code is one word in many elements. */
function* blocksOf(root: Element): Generator<readonly Text[]> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  let run: Text[] = []
  let around: Element | null = null
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const block = blockAround(node)
    if (block !== around) {
      if (around?.checkVisibility()) yield run
      run = []
      around = block
    }
    run.push(node as Text) // the walker shows nothing else
  }
  if (around?.checkVisibility()) yield run
}

function blockAround(node: Node): Element | null {
  let element = node.parentElement
  while (element && INLINE.has(element.tagName)) element = element.parentElement
  return element
}

function rangeOf(run: readonly Text[], from: number, to: number): Range {
  const range = document.createRange()
  let at = 0
  for (const node of run) {
    const end = at + node.length
    if (from >= at && from < end) range.setStart(node, from - at)
    if (to > at && to <= end) range.setEnd(node, to - at)
    at = end
  }
  return range
}
