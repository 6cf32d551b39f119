import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { Deadlines, type Expiring } from './deadline.ts'

function item(): Expiring & { expired: string[] } {
  const expired: string[] = []
  return { idle: 0, idleAt: 0, hardAt: 0, startedAt: 0, heardAt: 0, expired, expire: (why) => expired.push(why) }
}

describe('deadlines', () => {
  it('expire at their own times, all on one timer', () => {
    const clock = new ManualClock()
    const deadlines = new Deadlines(clock)
    const items = Array.from({ length: 100 }, () => item())
    items.forEach((one, at) => void deadlines.watch(one, 1000 + at, 5000))
    expect(clock.pending).toBe(1)
    clock.advance(1049)
    expect(items.filter(({ expired }) => expired.length > 0)).toHaveLength(50)
    clock.advance(100)
    expect(items.every(({ expired }) => expired.join() === 'idle')).toBe(true)
    expect(clock.pending).toBe(0)
  })

  it('are extended by signs of life, up to the maximum', () => {
    const clock = new ManualClock()
    const deadlines = new Deadlines(clock)
    const one = item()
    deadlines.watch(one, 100, 350)
    for (let at = 0; at < 3; at++) {
      clock.advance(99)
      deadlines.touch(one, clock.now())
    }
    expect(one.expired).toEqual([])
    clock.advance(99)
    expect(one.expired).toEqual(['maximum'])
  })

  it('pause while held, and holds are counted', () => {
    const clock = new ManualClock()
    const deadlines = new Deadlines(clock)
    const [early, late] = [item(), item()]
    deadlines.watch(early, 100, 100)
    clock.advance(60)
    const [first, second] = [deadlines.hold(), deadlines.hold()]
    clock.advance(10_000)
    deadlines.watch(late, 100, 100)
    first()
    first()
    clock.advance(10_000)
    expect(deadlines.held).toBe(true)
    second()
    expect([early.expired, late.expired]).toEqual([[], []])
    clock.advance(40)
    expect([early.expired, late.expired]).toEqual([['idle'], []])
    clock.advance(60)
    expect(late.expired).toEqual(['idle'])
  })

  it('leave no timer when stopped', () => {
    const clock = new ManualClock()
    const deadlines = new Deadlines(clock)
    deadlines.watch(item(), 100, 100)
    deadlines.stop()
    deadlines.watch(item(), 100, 100)
    expect(clock.pending).toBe(0)
  })

  it('are forgotten without a trace', () => {
    const clock = new ManualClock()
    const deadlines = new Deadlines(clock)
    const one = item()
    deadlines.watch(one, 100, 100)
    deadlines.forget(one)
    clock.advance(1000)
    expect(one.expired).toEqual([])
    expect(clock.pending).toBe(0)
  })
})
