import { describe, expect, it } from 'vitest'
import { headOf } from './head-of.ts'

describe('headOf', () => {
  it('leaves twenty lines open and folds the twenty-first', () => {
    const twenty = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n')
    expect(headOf(twenty)).toBe(twenty)
    expect(headOf(`${twenty}\nline 20`)).toBe(twenty)
  })

  it('folds one endless line', () => {
    expect(headOf('x'.repeat(5000))).toHaveLength(4000)
    expect(headOf('a\nb\nc', 2, 100)).toBe('a\nb')
  })
})
