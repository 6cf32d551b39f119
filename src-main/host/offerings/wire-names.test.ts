import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { WireNames, wireNames } from './wire-names.ts'

const named = (...tools: [string, string][]) => wireNames(tools.map(([serverId, name]) => ({ serverId, name })))

describe('the wire name of a tool', () => {
  it('is its own name when safe and unique', () => {
    expect(named(['files', 'read_file'], ['mail', 'send'])).toEqual(['read_file', 'send'])
  })

  it('makes the same name on two servers callable on both (ARCH-08, TOOL-30, V26-TOOL-7)', () => {
    expect(named(['files', 'search'], ['mail', 'search'])).toEqual(['files__search', 'mail__search'])
  })

  it('is unique and accepted by every provider, whatever servers call theirs (ARCH-08)', () => {
    const names = named(
      ['a', 'x'.repeat(200)],
      ['b', 'x'.repeat(200)],
      ['a', 'müsli/öffnen'],
      ['a', 'm sli.offnen'],
      ['a', ''],
      ['a b', 'c'],
      ['a_b', 'c'],
      ['b', 'a__c'],
      ['a', 'c'],
      ['日本', '語'],
      ['中文', '语'],
    )
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  })

  it('is the same each time', () => {
    const tools: [string, string][] = [
      ['a', 'search'],
      ['b', 'search'],
      ['a', 'ü'],
    ]
    expect(named(...tools)).toEqual(named(...tools))
  })

  it('differs for two tools with the same digest', () => {
    const seen = new Map<string, string>()
    for (let n = 0; ; n++) {
      const name = `${'x'.repeat(80)}${n}`
      const digest = createHash('sha256')
        .update(JSON.stringify(['evil', name]))
        .digest('hex')
        .slice(0, 8)
      const twin = seen.get(digest)
      seen.set(digest, name)
      if (twin === undefined) continue
      const names = named(['evil', twin], ['evil', name])
      expect(new Set(names).size).toBe(2)
      for (const one of names) expect(one).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      return
    }
  })
})

describe('the names of a running host', () => {
  const tool = (serverId: string, name: string) => ({ serverId, name })

  it('stay with their tools when a server with the same names comes or goes', () => {
    const names = new WireNames(new Set())
    expect(names.of([tool('files', 'search')])).toEqual(['search'])
    expect(names.of([tool('mail', 'search'), tool('files', 'search')])).toEqual(['mail__search', 'search'])
    expect(names.of([tool('mail', 'search')])).toEqual(['mail__search'])
  })

  it('are not given to another server while their tool is away (SEC-26)', () => {
    const names = new WireNames(new Set())
    names.of([tool('files', 'delete')])
    expect(names.of([tool('evil', 'delete')])).toEqual(['evil__delete'])
    expect(names.of([tool('files', 'delete'), tool('evil', 'delete')])).toEqual(['delete', 'evil__delete'])
  })

  it('are bounded, however many a server lists over time', () => {
    const names = new WireNames(new Set(['mine']))
    for (let at = 0; at < 30; at++) names.of(Array.from({ length: 1000 }, (_, n) => tool('evil', `tool-${at}-${n}`)))
    expect(names.of([tool('evil', 'tool-0-0'), tool('evil', 'mine')])).toEqual(['tool-0-0', 'evil__mine'])
  })
})
