import { describe, expect, it } from 'vitest'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { Resource } from '../../src-shared/mcp/content.ts'
import { byPriority, EVERYTHING, isUri, passesResourceFilter, resourceEntries, resourceTokens } from './resource-entries.ts'
import { uriTree } from './uri-tree.ts'

// Only what the list reads of a server.
const server = (id: string) => ({ id, name: id }) as ServerRecord
const offer = (of: string, uri: string, more: Partial<Resource> = {}) => ({
  server: server(of),
  item: { uri, name: uri, ...more },
})

describe('the list of resources', () => {
  it('shows an address once per server, and flags repetitions (RES-29)', () => {
    const entries = resourceEntries([offer('a', 'x://1'), offer('b', 'x://1'), offer('a', 'x://1'), offer('a', 'x://2')])
    expect(entries.map((entry) => [entry.server.id, entry.resource.uri, entry.duplicate])).toEqual([
      ['a', 'x://1', true],
      ['b', 'x://1', false],
      ['a', 'x://2', false],
    ])
  })

  it('keeps an invalid address in the list, marked (RES-20)', () => {
    const odd = ['no address', 'x y://z', 'x://a b', 'x://%zz', 'x://\u202E', '']
    expect(odd.map(isUri)).toEqual(odd.map(() => false))
    expect(['file:///a%20b', 'urn:isbn:1', 'demo://r/1?x=y#z', 'x-2+3.4:'].map(isUri)).toEqual([true, true, true, true])
    expect(resourceEntries([offer('a', 'no address')])[0]?.invalid).toBe(true)
  })

  it('finds by words, server, type and audience (RES-15, RES-25)', () => {
    const entries = resourceEntries([
      offer('a', 'x://notes/1', { title: 'Shopping list', mimeType: 'text/markdown', annotations: { audience: ['user'] } }),
      offer('b', 'x://notes/2', { description: 'a list of bugs', mimeType: 'application/json' }),
    ])
    const found = (filter: Partial<typeof EVERYTHING>) =>
      entries.filter((entry) => passesResourceFilter(entry, { ...EVERYTHING, ...filter })).map((entry) => entry.server.id)
    expect(found({})).toEqual(['a', 'b'])
    expect(found({ search: 'list SHOP' })).toEqual(['a'])
    expect(found({ search: 'list' })).toEqual(['a', 'b'])
    expect(found({ server: 'b' })).toEqual(['b'])
    expect(found({ type: 'text/' })).toEqual(['a'])
    expect(found({ audience: 'assistant' })).toEqual(['b'])
  })

  it('ranks by the servers’ priorities, and otherwise keeps their order (RES-25)', () => {
    const entries = resourceEntries([
      offer('a', 'x://1'),
      offer('a', 'x://2', { annotations: { priority: 1 } }),
      offer('a', 'x://3', { annotations: { priority: 0 } }),
      offer('a', 'x://4'),
    ])
    expect(byPriority(entries).map((entry) => entry.resource.uri)).toEqual(['x://2', 'x://1', 'x://4', 'x://3'])
  })

  it('estimates tokens from the size that a server gives (RES-22)', () => {
    expect(resourceTokens(4_001)).toBe(1_001)
    expect(resourceTokens(undefined)).toBeUndefined()
  })
})

describe('the tree of addresses', () => {
  it('has the server at the top and a branch per step (RES-14)', () => {
    const tree = uriTree(
      resourceEntries([offer('a', 'file:///home/me/1.txt'), offer('a', 'file:///home/2.txt'), offer('b', 'urn:isbn:1')]),
    )
    expect(tree.map((branch) => [branch.label, branch.count])).toEqual([
      ['a', 2],
      ['b', 1],
    ])
    const home = tree[0]?.branches[0]?.branches[0]
    expect([home?.label, home?.entries.length, home?.branches[0]?.label]).toEqual(['home', 1, 'me'])
  })

  it('treats inode/directory as a branch, and groups invalid addresses (RES-19, RES-20)', () => {
    const tree = uriTree(resourceEntries([offer('a', 'file:///home', { mimeType: 'inode/directory' }), offer('a', 'no address')]))
    const [files, odd] = tree[0]?.branches ?? []
    expect(files?.branches[0]?.label).toBe('home')
    expect(odd?.label).toBe('Not an address')
  })

  it('stays shallow for an address of ten thousand steps', () => {
    const [branch] = uriTree(resourceEntries([offer('a', `x://${'a/'.repeat(10_000)}`)]))
    let depth = 0
    for (let at = branch; at; at = at.branches[0]) depth++
    expect(depth).toBeLessThan(30)
  })
})
