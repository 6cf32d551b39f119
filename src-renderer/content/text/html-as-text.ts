import type { MarkdownNode } from './mark-hidden.ts'

/** Turns HTML in Markdown into text, so that later steps treat it as text; a block of it becomes a paragraph. */
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
