import { describe, expect, it } from 'vitest'
import { freeServerName, isReservedName, sameServerName, serverNameProblem } from './server-rules.ts'

describe('the name of a server', () => {
  it.each([
    ['', 'needs a name'],
    [' ', 'needs a name'],
    ['x'.repeat(65), 'at most 64 characters'],
    ['a\nb', 'invisible'],
    ['a\u202eb', 'invisible'],
    ['a\u2028b', 'invisible'],
    ['a\u200bb', 'invisible'],
    [' a', 'begin or end with a space'],
    ['PlayGround', 'taken by Parley itself'],
    ['__proto__', 'taken by Parley itself'],
  ])('cannot be %j', (name, why) => {
    expect(serverNameProblem(name)).toContain(why)
  })

  it('can have any letters and 64 characters', () => {
    for (const name of ['データ-ß', 'My server 2', 'x'.repeat(64)]) expect(serverNameProblem(name)).toBeUndefined()
  })

  it('is the same in any case', () => {
    expect([sameServerName('GitHub', 'github'), sameServerName('github', 'gitlab')]).toEqual([true, false])
    for (const name of ['PLAYGROUND', 'play ground', 'Parley', 'ParIey', 'Раrlеy', 'P.a.r.l.e.y', 'pläyground', 'P1aygr0und']) {
      expect(isReservedName(name), name).toBe(true)
    }
    expect(['parley-server', 'my playground', 'party'].filter(isReservedName)).toEqual([])
  })

  it.each([
    ['github', 'github'],
    ['a\u0000b\nc\u202ed\u200b', 'a b c d'],
    ['', 'server'],
    ['__proto__', '__proto__ server'],
    ['Раrlеу', 'Раrlеу server'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('is made valid from %j', (called, name) => expect(freeServerName(called, [])).toBe(name))

  it('is free beside those that are taken', () => {
    expect(freeServerName('GitHub', ['github', 'GitHub 2'])).toBe('GitHub 3')
    expect(freeServerName('GitHub 2', ['github', 'GitHub 2'])).toBe('GitHub 3')
    expect(freeServerName('Area 51', ['Area 51'])).toBe('Area 51 2')
    expect(freeServerName('x'.repeat(64), ['x'.repeat(64)])).toBe(`${'x'.repeat(58)} 2`)
  })
})
