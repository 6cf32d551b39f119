import { describe, expect, it } from 'vitest'
import { DrawingTurns } from './turns.ts'

describe('turns of callers', () => {
  it('come one after the other, and skip those that no longer wait', () => {
    const turns = new DrawingTurns()
    const began: string[] = []
    const [endA, endB, endC] = ['a', 'b', 'c'].map((name) => turns.take(() => began.push(name)))
    expect(began).toEqual(['a'])
    endB?.()
    endA?.()
    endA?.()
    expect(began).toEqual(['a', 'c'])
    endC?.()
    turns.take(() => began.push('d'))
    expect(began).toEqual(['a', 'c', 'd'])
  })
})
