import { describe, expect, it } from 'vitest'
import { comparedPart, editsIn, isComparable } from './text-edits.ts'

const edit = { before: 'a', now: 'b' }

describe('the text edits in arguments', () => {
  it.each([
    [{ path: 'x.ts', oldText: 'a', newText: 'b' }, ['oldText', 'newText']],
    [{ file_path: 'x.ts', old_string: 'a', new_string: 'b', replace_all: true }, ['old_string', 'new_string']],
    [{ command: 'str_replace', old_str: 'a', new_str: 'b' }, ['old_str', 'new_str']],
    [{ search: 'a', replace: 'b' }, ['search', 'replace']],
    [{ find: 'a', replacement: 'b' }, ['find', 'replacement']],
  ])('are an old and a new text by their names: %j', (args, names) => {
    expect(editsIn(args)).toEqual({ edits: [edit], names })
  })

  it('may be a list', () => {
    expect(
      editsIn({
        path: 'x.ts',
        edits: [
          { oldText: 'a', newText: 'b' },
          { oldText: 'a', newText: 'b' },
        ],
        dryRun: false,
      }),
    ).toEqual({
      edits: [edit, edit],
      names: ['edits'],
    })
  })

  it('leave an argument shown as sent where its items hold more than two texts', () => {
    const edits = [{ oldText: 'a', newText: 'b', path: '/etc/passwd' }]
    expect(editsIn({ edits })).toEqual({ edits: [edit], names: [] })
  })

  it.each([
    [{ oldText: 'a' }],
    [{ oldText: 'a', newString: 'b' }],
    [{ oldText: 1, newText: 2 }],
    [{ search: 'a', path: 'b' }],
    [{ older: 'a', newer: 'b' }],
    [{ edits: [{ oldText: 'a', newText: 'b' }, 'else'] }],
    [{ edits: [] }],
  ])('are absent in %j', (args) => {
    expect(editsIn(args)).toEqual({ edits: [], names: [] })
  })
})

describe('the compared part', () => {
  it('is bounded, and says so', () => {
    expect(comparedPart('short\ntext')).toBe('short\ntext')
    expect(comparedPart('line\n'.repeat(1000))).toHaveLength(200 * 5 - 1 + '\n… and more'.length)
    expect(comparedPart('x'.repeat(1e6)).length).toBeLessThan(21_000)
    expect(isComparable([edit])).toBe(true)
    expect(isComparable([{ before: 'x'.repeat(1e6), now: '' }])).toBe(false)
    expect(isComparable(Array.from({ length: 21 }, () => edit))).toBe(false)
  })
})
