import { visibleParts } from '../../ui/visible-text.ts'

/** The used part of a node of a Markdown tree. */
export interface MarkdownNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: MarkdownNode[]
}

/** Wide and no-break spaces are typography in prose. */
const SPACE = /^\p{Zs}$/u

/** Shows invisible characters in Markdown text. Code views show their own. */
export function markHidden() {
  return (tree: MarkdownNode): void => mark(tree)
}

function mark(node: MarkdownNode): void {
  if (node.tagName === 'code' || !node.children) return
  node.children = node.children.flatMap((child) => {
    if (child.type !== 'text') {
      mark(child)
      return [child]
    }
    return visibleParts(child.value ?? '').map((part): MarkdownNode => {
      if (typeof part === 'string') return { type: 'text', value: part }
      if (SPACE.test(part.char)) return { type: 'text', value: part.char }
      return {
        type: 'element',
        tagName: 'span',
        properties: { className: ['ui-mark'], title: part.name },
        children: [{ type: 'text', value: part.code }],
      }
    })
  })
}
