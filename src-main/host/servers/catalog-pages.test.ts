import { describe, expect, it } from 'vitest'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import { catalogEntry, pageOf, toolDetails, toolEntry } from './catalog-pages.ts'

const tools = (count: number, description = ''): Tool[] =>
  Array.from({ length: count }, (_, n) => ({ name: `tool-${n}`, description, inputSchema: { type: 'object' } }))
const words = (tool: Tool) => [tool.name, tool.description]
const same = <T>(entry: T) => entry
const marks = { hidden: false, changed: undefined, tokens: 5 }

describe('pages of a catalog', () => {
  it('hold 200 entries and lead through the whole list', () => {
    const all = tools(450)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = pageOf(all, { cursor }, words, same)
      expect(page.items.length).toBeLessThanOrEqual(200)
      expect(page.total).toBe(450)
      seen.push(...page.items.map((tool) => tool.name))
      cursor = page.next
    } while (cursor !== undefined)
    expect(seen).toEqual(all.map((tool) => tool.name))
  })

  it('are bounded in size however large their entries, and always advance (SEC-23)', () => {
    const page = pageOf(tools(100, 'x'.repeat(100_000)), {}, words, same)
    expect(page.items.length).toBe(2)
    expect(pageOf(tools(2, 'x'.repeat(1_000_000)), {}, words, same)).toMatchObject({ next: '1', total: 2 })
  })

  it('find entries by all words, ignoring case', () => {
    const all = [...tools(3), { name: 'Send_Mail', description: 'to a Person', inputSchema: { type: 'object' as const } }]
    expect(pageOf(all, { search: ' PERSON mail ' }, words, same)).toMatchObject({ items: [{ name: 'Send_Mail' }], total: 1 })
  })

  it.each(['x', '-1', '1.5', '9'.repeat(30)])('refuse the cursor %s', (cursor) => {
    expect(() => pageOf(tools(1), { cursor }, words, same)).toThrowError('not in the list')
  })

  it('are measured as sent, so that icons make more pages and no larger ones (V11-24)', () => {
    const icon = { src: `data:image/png;base64,${'A'.repeat(8000)}` }
    const show = () => ({ icons: [icon] })
    const page = pageOf(tools(2000), {}, words, (tool) => toolEntry({ tool }, marks, show))
    expect(JSON.stringify(page.items).length).toBeLessThanOrEqual(256 * 1024)
    expect(page.items[0]?.icons).toEqual([icon])
    expect(page).toMatchObject({ total: 2000, next: String(page.items.length) })
  })

  it('are empty past the end', () => {
    expect(pageOf(tools(1), { cursor: '5' }, words, same)).toEqual({ items: [], total: 1 })
  })
})

describe('entries of a catalog', () => {
  it('complete hints with the worst case (TOOL-13)', () => {
    const [tool = { name: '', inputSchema: { type: 'object' as const } }] = tools(1, 'x'.repeat(4000))
    const entry = toolEntry({ tool, unusable: 'bad schema' }, { hidden: true, changed: 'new', tokens: 7 })
    expect(entry).toMatchObject({
      title: 'tool-0',
      hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      hidden: true,
      changed: 'new',
      unusable: 'bad schema',
      tokens: 7,
    })
    expect(entry.description.length).toBeLessThan(1100)
  })

  it('of a read-only tool are neither destructive nor repeatable, whatever else it claims (TOOL-14)', () => {
    const claims = { readOnlyHint: true, destructiveHint: true, idempotentHint: true }
    const tool = { name: 'a', inputSchema: { type: 'object' as const }, annotations: claims }
    const { hints } = toolEntry({ tool }, marks)
    expect(hints).toMatchObject({ readOnly: true, destructive: false, idempotent: false })
    const writing = { ...tool, annotations: { ...claims, readOnlyHint: false } }
    expect(toolEntry({ tool: writing }, marks).hints).toMatchObject({
      destructive: true,
      idempotent: true,
    })
  })

  it('show a whole definition only when it is not huge (SEC-23)', () => {
    const [tool] = tools(1, 'x'.repeat(5000))
    if (!tool) throw new Error('no tool')
    expect(toolDetails({ tool }, marks).definition.description?.length).toBe(5000)
    expect(() => toolDetails({ tool: { ...tool, description: 'x'.repeat(2_000_000) } }, marks)).toThrowError('too large')
  })

  it('leave out _meta, and icons that would be fetched, contain script or are large', () => {
    const sources = ['https://example.com/i.png', 'data:image/svg+xml;base64,AAAA', `data:image/png;base64,${'A'.repeat(9000)}`]
    const icons = sources.map((src) => ({ src }))
    expect(catalogEntry({ uri: 'a:b', name: 'n', _meta: { x: 1 }, icons })).toEqual({ uri: 'a:b', name: 'n' })
    const small = { src: 'data:image/png;base64,AAAA', sizes: ['16x16'] }
    expect(catalogEntry({ uri: 'a:b', name: 'n', icons: [...icons, small] }).icons).toEqual([{ src: small.src }])
  })
})
