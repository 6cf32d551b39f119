import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { delay, every } from './clock.ts'

describe('a clock', () => {
  it('runs what is due in order of time and nothing later', () => {
    const clock = new ManualClock()
    const ran: string[] = []
    clock.after(30, () => ran.push('c'))
    clock.after(10, () => ran.push('a'))
    clock.after(20, () => {
      ran.push('b')
      clock.after(5, () => ran.push('b+5'))
    })
    clock.advance(25)
    expect(ran).toEqual(['a', 'b', 'b+5'])
    expect(clock.pending).toBe(1)
  })

  it('repeats until it is told to stop', () => {
    const clock = new ManualClock()
    let ticks = 0
    const stop = every(clock, 10, () => {
      ticks += 1
    })
    clock.advance(35)
    stop()
    clock.advance(100)
    expect(ticks).toBe(3)
    expect(clock.pending).toBe(0)
  })

  it('gives up a delay when its signal aborts, leaving no timer', async () => {
    const clock = new ManualClock()
    const controller = new AbortController()
    const waiting = delay(clock, 1000, controller.signal)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(clock.pending).toBe(0)
  })
})
