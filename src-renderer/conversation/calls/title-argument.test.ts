import { describe, expect, it } from 'vitest'
import { splitTail, titleArgument } from './title-argument.ts'

const telling = (value: unknown) => titleArgument({ json: JSON.stringify(value) })

describe('the argument that tells most', () => {
  it('is a path, an address, a command, a search, by its name', () => {
    expect(telling({ head: 3, encoding: 'utf8', path: 'src/mod1.ts' })).toBe('src/mod1.ts')
    expect(telling({ query: 'bees', url: 'https://example.com' })).toBe('https://example.com')
    expect(telling({ paths: ['a.ts', 'b.ts'] })).toBe('a.ts, b.ts')
  })

  it('is else the first text, or the numbers', () => {
    expect(telling({ deep: { path: 'x' }, colour: 'red\n  and blue' })).toBe('red and blue')
    expect(telling({ a: 2, b: 3, loud: true })).toBe('a 2, b 3, loud true')
  })

  it('is what several things are called, where it is about things', () => {
    const entities = [{ name: 'bed 3', observations: ['kale'] }, { entityType: 'bed' }]
    expect(telling({ entities })).toBe('bed 3, bed')
    expect(telling({ entities: [], loud: true })).toBe('loud true')
    expect(telling({ rows: [{ deep: [{ name: 'x' }] }, {}] })).toBeUndefined()
  })

  it('is nothing where there is none', () => {
    expect(telling({})).toBeUndefined()
    expect(telling({ path: { path: 'x' } })).toBeUndefined()
    expect(telling([1])).toBeUndefined()
    expect(telling({ path: '   ' })).toBeUndefined()
  })

  it('is bounded, and found in the head of what did not travel', () => {
    expect(telling({ path: 'x'.repeat(10_000) })).toHaveLength(300)
    const json = `{"path":"notes/\\u0061.md","content":"${'y'.repeat(90)}`
    expect(titleArgument({ json, whole: { blob: '0'.repeat(64), bytes: 1e6, mimeType: 'application/json' } })).toBe('notes/a.md')
  })
})

describe('a line that is too short', () => {
  it('keeps the last name of a path', () => {
    expect(splitTail('/home/ada/src/mod1.ts')).toEqual(['/home/ada/src', '/mod1.ts'])
    expect(splitTail('C:\\notes\\a.md')).toEqual(['C:\\notes', '\\a.md'])
    expect(splitTail('/home/ada/')).toEqual(['/home', '/ada/'])
    expect(splitTail('either or/and more')).toEqual(['either or/and more', ''])
    expect(splitTail('plain')).toEqual(['plain', ''])
  })
})
