import type { MarkdownNode } from './mark-hidden.ts'

/** HTML in Markdown is text like any other: what makes text visible and finds its formulas then sees it, and a block of it is a paragraph. */
export function htmlAsText() {
  return (tree: MarkdownNode): void => asText(tree)
}

function asText(node: MarkdownNode): void {
  const holdsBlocks = node.type === 'root' || node.tagName === 'blockquote'
  if (!node.children) return
  node.children = node.children.map((child): MarkdownNode => {
    asText(child)
    if (child.type !== 'raw') return child
    const text = { type: 'text', value: child.value ?? '' }
    return holdsBlocks ? { type: 'element', tagName: 'p', properties: {}, children: [text] } : text
  })
}
