import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { PausableClock } from './pausable-clock.ts'

describe('a pausable clock', () => {
  it('stops while it is held, for older and new timers', () => {
    const below = new ManualClock(1000)
    const clock = new PausableClock(below)
    const ran: string[] = []
    clock.after(100, () => ran.push('before'))
    below.advance(60)
    const release = clock.hold()
    clock.after(10, () => ran.push('meanwhile'))
    below.advance(10_000)
    expect(ran).toEqual([])
    expect(clock.now()).toBe(1060)
    release()
    release()
    below.advance(10)
    expect(ran).toEqual(['meanwhile'])
    below.advance(30)
    expect(ran).toEqual(['meanwhile', 'before'])
    expect(clock.now()).toBe(1100)
  })

  it('stops until every hold is released', () => {
    const below = new ManualClock()
    const clock = new PausableClock(below)
    const [first, second] = [clock.hold(), clock.hold()]
    let ran = false
    const cancel = clock.after(1, () => (ran = true))
    clock.after(1, () => {})()
    first()
    below.advance(100)
    expect(ran).toBe(false)
    second()
    below.advance(1)
    expect(ran).toBe(true)
    cancel()
    expect(below.pending).toBe(0)
  })
})
