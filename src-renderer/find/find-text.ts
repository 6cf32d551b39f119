/** Matches found at most; nobody steps through more. */
export const MAX_FOUND = 1000

const INLINE = new Set('A B BDI CODE DEL EM I KBD MARK S SPAN STRONG SUB SUP TIME U'.split(' '))

/** Escapes a text for a regular expression. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** The matches of a global pattern inside `root`, in reading order, without folded content. */
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

/** Runs of text nodes that read as one: highlighted code is one word in many elements. */
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
