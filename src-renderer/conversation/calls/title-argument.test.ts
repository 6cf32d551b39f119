import { describe, expect, it } from 'vitest'
import { splitTail, titleArgument } from './title-argument.ts'

const title = (value: unknown) => titleArgument({ json: JSON.stringify(value) })

describe('the title argument of a call', () => {
  it('is a path, an address, a command or a search, by its name', () => {
    expect(title({ head: 3, encoding: 'utf8', path: 'src/mod1.ts' })).toBe('src/mod1.ts')
    expect(title({ query: 'bees', url: 'https://example.com' })).toBe('https://example.com')
    expect(title({ paths: ['a.ts', 'b.ts'] })).toBe('a.ts, b.ts')
  })

  it('is the way from a source to a destination', () => {
    expect(title({ source: 'notes/a.md', destination: 'old/a.md' })).toBe('notes/a.md → old/a.md')
    expect(title({ oldPath: 'a', newPath: 'b' })).toBe('a → b')
    expect(title({ source: 'notes/a.md', destination: 3 })).toBe('notes/a.md')
    expect(title({ destination: 'b', source: 'x'.repeat(10_000) })).toHaveLength(300)
  })

  it('is the item that the call is about, before any other text', () => {
    expect(title({ status: 'closed', id: 41 })).toBe('id 41')
    expect(title({ method: 'update', owner: 'ada', issue_number: 302 })).toBe('issue_number 302')
    expect(title({ status: 'done', taskId: 'WEB-211' })).toBe('WEB-211')
  })

  it('is otherwise the first text, or the numbers', () => {
    expect(title({ deep: { path: 'x' }, colour: 'red\n  and blue' })).toBe('red and blue')
    expect(title({ a: 2, b: 3, loud: true })).toBe('a 2, b 3, loud true')
  })

  it('is the names of listed items', () => {
    const entities = [{ name: 'bed 3', observations: ['kale'] }, { entityType: 'bed' }]
    expect(title({ entities })).toBe('bed 3, bed')
    expect(title({ entities: [], loud: true })).toBe('loud true')
    expect(title({ rows: [{ deep: [{ name: 'x' }] }, {}] })).toBeUndefined()
  })

  it('is missing when nothing qualifies', () => {
    expect(title({})).toBeUndefined()
    expect(title({ path: { path: 'x' } })).toBeUndefined()
    expect(title([1])).toBeUndefined()
    expect(title({ path: '   ' })).toBeUndefined()
  })

  it('is bounded, and found in the beginning of long arguments', () => {
    expect(title({ path: 'x'.repeat(10_000) })).toHaveLength(300)
    const json = `{"path":"notes/\\u0061.md","content":"${'y'.repeat(90)}`
    expect(titleArgument({ json, whole: { blob: '0'.repeat(64), bytes: 1e6, mimeType: 'application/json' } })).toBe('notes/a.md')
  })
})

describe('a path on a short line', () => {
  it('keeps its last name', () => {
    expect(splitTail('/home/ada/src/mod1.ts')).toEqual(['/home/ada/src', '/mod1.ts'])
    expect(splitTail('C:\\notes\\a.md')).toEqual(['C:\\notes', '\\a.md'])
    expect(splitTail('/home/ada/')).toEqual(['/home', '/ada/'])
    expect(splitTail('either or/and more')).toEqual(['either or/and more', ''])
    expect(splitTail('/home/ada/a.md → /home/ada/b.md')).toEqual(['/home/ada/a.md', ' → /home/ada/b.md'])
    expect(splitTail('plain')).toEqual(['plain', ''])
  })
})
