import { describe, expect, it } from 'vitest'
import { lineDiff } from './line-diff.ts'

const signs = { same: ' ', removed: '-', added: '+' } as const
const shown = (before: string, now: string) => lineDiff(before, now).map(({ kind, text }) => signs[kind] + text)

describe('the difference of two files', () => {
  it('keeps as many common lines as possible, in order', () => {
    expect(shown('a\nb\nc\nd', 'a\nc\nx\nd')).toEqual([' a', '-b', ' c', '+x', ' d'])
    expect(shown('a\na\nb', 'a\nb\nb')).toEqual([' a', '-a', ' b', '+b'])
  })

  it('counts no line in an empty text', () => {
    expect(shown('', 'a\nb\n')).toEqual(['+a', '+b'])
    expect(shown('a', '')).toEqual(['-a'])
    expect(shown('', '')).toEqual([])
    expect(shown('\n', '')).toEqual(['-'])
  })

  it('replaces all lines where there are too many pairs to compare', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, n) => String(n)).join('\n')
    expect(lineDiff(lines(1_000), lines(1_000)).every(({ kind }) => kind === 'same')).toBe(true)
    const large = lineDiff(lines(4_000), lines(4_000))
    expect(large).toHaveLength(8_000)
    expect(large.every(({ kind }, at) => kind === (at < 4_000 ? 'removed' : 'added'))).toBe(true)
  })
})
