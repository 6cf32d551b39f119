import { describe, expect, it } from 'vitest'
import { type MarkdownNode, markHidden } from './mark-hidden.ts'

const marked = (value: string, tagName = 'p') => {
  const tree: MarkdownNode = { type: 'root', children: [{ type: 'element', tagName, children: [{ type: 'text', value }] }] }
  markHidden()(tree)
  return tree.children?.[0]?.children?.map((child) => child.value ?? child.children?.[0]?.value)
}

describe('hidden characters in Markdown', () => {
  it('are shown by number at their place', () => {
    expect(marked('safe\u202Etxt.exe\u200B')).toEqual(['safe', 'U+202E', 'txt.exe', 'U+200B'])
  })

  it('exclude wide spaces and code', () => {
    expect(marked('a\u00A0b')?.join('')).toBe('a\u00A0b')
    expect(marked('a\u202Eb', 'code')).toEqual(['a\u202Eb'])
  })
})
