import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { throttled } from './throttled.ts'

describe('a throttled function', () => {
  it('passes the first value on at once, then the newest at most once per interval (V26-PROG-4)', () => {
    const clock = new ManualClock()
    const seen: number[] = []
    const { push, stop } = throttled<number>(clock, 100, (value) => seen.push(value))
    for (let at = 0; at < 1000; at++) {
      push(at)
      clock.advance(1)
    }
    expect(seen.length).toBe(11)
    expect(seen[0]).toBe(0)
    stop()
    expect(clock.pending).toBe(0)
    push(5000)
    expect(seen).not.toContain(5000)
  })

  it('delivers the last value even when nothing follows', () => {
    const clock = new ManualClock()
    const seen: number[] = []
    const { push } = throttled<number>(clock, 100, (value) => seen.push(value))
    push(1)
    push(2)
    push(3)
    clock.advance(100)
    expect(seen).toEqual([1, 3])
    clock.advance(100)
    expect(clock.pending).toBe(0)
  })
})
