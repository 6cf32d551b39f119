import { describe, expect, it } from 'vitest'
import { splitBlocks } from './split-blocks.ts'

const texts = (text: string) => splitBlocks(text).map((block) => block.text)

describe('a block of Markdown', () => {
  it('ends between paragraphs, and nothing is lost', () => {
    const text = '# Title\n\nOne\ntwo.\n\n\nThree.'
    expect(texts(text)).toEqual(['# Title\n\n', 'One\ntwo.\n\n\n', 'Three.'])
    expect(texts(text).join('')).toBe(text)
  })

  it('never ends inside a fence, even an open one', () => {
    const fence = '```ts\nconst a = 1\n\n# not a title\n```\n\n'
    expect(texts(`Before\n\n${fence}After`)).toEqual(['Before\n\n', fence, 'After'])
    expect(texts('```\na\n\nb\n\nc')).toHaveLength(1)
    expect(texts('~~~~\na\n```\n\nb\n~~~\n\nc')).toHaveLength(1)
  })

  it('never ends inside a formula on its own lines, unless that has no end', () => {
    const formula = '$$\na\n\nb\n$$\n\n'
    expect(texts(`Before\n\n${formula}After`)).toEqual(['Before\n\n', formula, 'After'])
    expect(texts('\\[\na\n\nb\n\\]\n\nc')).toEqual(['\\[\na\n\nb\n\\]\n\n', 'c'])
    expect(texts('$$a$$\n\nb')).toHaveLength(2)
    expect(texts(`$$ earned\n\n${'a paragraph of text\n\n'.repeat(1_000)}`).length).toBeGreaterThan(500)
  })

  it('keeps lists, quotes, tables and indented text together', () => {
    expect(texts('1. one\n\n   more\n\n2. two\n\n- three\n\nEnd')).toHaveLength(2)
    expect(texts('> a\n\n> b')).toHaveLength(1)
    expect(texts('| a |\n|---|\n\n| b |')).toHaveLength(1)
  })

  it('stays the same once finished while the text grows', () => {
    const text = 'One *a*.\n\n```js\nlet a\n\nlet b\n```\n\n$$\na\n\nb\n$$\n\n1. x\n\n2. y\n\nEnd.'
    let before = splitBlocks('')
    for (let length = 1; length <= text.length; length++) {
      const now = splitBlocks(text.slice(0, length))
      expect(now.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1))
      before = now
    }
    expect(before.map((block) => block.text).join('')).toBe(text)
  })

  it('has the link definitions it may use', () => {
    const [first] = texts('See [docs].\n\n[docs]: https://example.com\n')
    expect(first).toContain('[docs]: https://example.com')
  })

  it('has only the definitions it names, and a limited number in all', () => {
    const definitions = Array.from({ length: 100 }, (_, n) => `[a${n}]: https://a.example/${'x'.repeat(3_000)}\n`).join('')
    const [, first, second] = texts(`${definitions}\n[A3] and [a5][]\n\nPlain.\n`)
    expect(first?.match(/^\[a\d+\]: /gm)).toEqual(['[a3]: ', '[a5]: '])
    expect(second).toBe('Plain.\n')
    const text = `${definitions}${'\n[a0]\n'.repeat(10_000)}`
    const written = texts(text).reduce((sum, block) => sum + block.length, 0)
    expect(written).toBeLessThan(2 * text.length + 300_000)
  })

  it('is found in time proportional to the text', () => {
    expect(splitBlocks('a\n\n'.repeat(20_000))).toHaveLength(20_000)
  })

  it('ends within a very long list between items, in a quote at empty lines, in a table between rows with its head', () => {
    for (const line of ['- an item\n  that goes on\n', '7. an item\n', '> said\n>\n> and said\n']) {
      const text = line.repeat(3000)
      const blocks = splitBlocks(text)
      expect(blocks.length).toBeGreaterThan(3)
      expect(blocks.every((block) => block.text.length < 6100)).toBe(true)
      expect(blocks.map((block) => block.text).join('')).toBe(text)
      const before = splitBlocks(text.slice(0, 20_000)).slice(0, -1)
      expect(blocks.slice(0, before.length)).toEqual(before)
    }
    const rows = '| a | b |\n| 1 | 2 |\n'.repeat(2000)
    const table = splitBlocks(`| x | y |\n| - | - |\n${rows}`)
    expect(table.length).toBeGreaterThan(3)
    expect(table.every((block) => block.text.startsWith('| x | y |\n| - | - |\n') && block.text.length < 6100)).toBe(true)
    const nested = `- a list\n${'  - inside\n'.repeat(2000)}`
    expect(splitBlocks(nested)).toHaveLength(1)
    const dashes = `1. one\n\n${'   goes on\n'.repeat(1000)}- another list\n`
    expect(splitBlocks(dashes)).toHaveLength(1)
  })
})
