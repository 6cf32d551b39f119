import { describe, expect, it } from 'vitest'
import { firstLines } from './first-lines.ts'

describe('the first lines of a text', () => {
  it('leave twenty lines open and fold the twenty-first', () => {
    const twenty = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n')
    expect(firstLines(twenty)).toBe(twenty)
    expect(firstLines(`${twenty}\nline 20`)).toBe(twenty)
  })

  it('fold one endless line', () => {
    expect(firstLines('x'.repeat(5000))).toHaveLength(4000)
    expect(firstLines('a\nb\nc', 2, 100)).toBe('a\nb')
  })
})
