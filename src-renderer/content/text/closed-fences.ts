import type { MarkdownNode } from './mark-hidden.ts'

interface Placed extends MarkdownNode {
  position?: { readonly start: { readonly offset?: number }; readonly end: { readonly offset?: number } }
}

/** Marks fenced code that is complete: previews and diagrams wait for its end. */
export function markClosed(text: string) {
  return () =>
    (tree: MarkdownNode): void =>
      mark(tree, text)
}

function mark(node: Placed, text: string): void {
  if (node.tagName === 'code' && node.position) {
    const { start, end } = node.position
    if (isClosed(text.slice(start.offset, end.offset))) node.properties = { ...node.properties, dataClosed: 'yes' }
    return
  }
  for (const child of node.children ?? []) mark(child, text)
}

/** In lists and quotes the closing line begins with the marks of the list or quote. */
function isClosed(source: string): boolean {
  const opening = /^(`{3,}|~{3,})/.exec(source)?.[1]
  const last = /\n[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(source)?.[1]
  return opening !== undefined && last?.startsWith(opening) === true
}
