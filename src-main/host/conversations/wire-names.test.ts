import { describe, expect, it } from 'vitest'
import { wireNames } from './wire-names.ts'

const named = (...tools: [string, string][]) => wireNames(tools.map(([serverId, name]) => ({ serverId, name })))

describe('wireNames', () => {
  it('keeps a name that is safe and nobody else has', () => {
    expect(named(['files', 'read_file'], ['mail', 'send'])).toEqual(['read_file', 'send'])
  })

  it('makes the same name on two servers callable on both (ARCH-08, TOOL-30)', () => {
    expect(named(['files', 'search'], ['mail', 'search'])).toEqual(['files__search', 'mail__search'])
  })

  it('gives every tool a unique name that every provider takes, whatever servers call theirs (ARCH-08)', () => {
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

  it('gives the same names again', () => {
    const tools: [string, string][] = [
      ['a', 'search'],
      ['b', 'search'],
      ['a', 'ü'],
    ]
    expect(named(...tools)).toEqual(named(...tools))
  })
})
