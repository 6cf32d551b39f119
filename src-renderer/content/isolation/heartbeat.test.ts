import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import type { Clock } from '../../../src-shared/base/clock.ts'
import { heartbeat } from './heartbeat.ts'

/** The clock of a page that nobody sees: its timers run late. */
class RestingClock implements Clock {
  #now = 0
  #due: (() => void) | undefined

  now(): number {
    return this.#now
  }

  after(_ms: number, run: () => void): () => void {
    this.#due = run
    return () => {
      if (this.#due === run) this.#due = undefined
    }
  }

  wake(after: number): void {
    this.#now += after
    const due = this.#due
    this.#due = undefined
    due?.()
  }
}

describe('a heartbeat', () => {
  it('continues with pings, and reports silence once after half a minute', () => {
    const clock = new ManualClock()
    let [asked, silent] = [0, 0]
    const beat = heartbeat(
      clock,
      () => asked++,
      () => silent++,
    )
    clock.advance(20_000)
    beat.heard()
    clock.advance(30_000)
    expect([asked, silent]).toEqual([10, 0])
    clock.advance(5_000)
    expect(silent).toBe(1)
    clock.advance(60_000)
    expect([asked, silent]).toEqual([10, 1])
  })

  it('survives late timers, as long as questions are answered', () => {
    const clock = new RestingClock()
    let silent = 0
    const beat = heartbeat(
      clock,
      () => beat.heard(),
      () => silent++,
    )
    for (let n = 0; n < 20; n++) clock.wake(60_000)
    clock.wake(8 * 3_600_000)
    expect(silent).toBe(0)
  })

  it('reports silence ten seconds after the first of two pings where so many are allowed (APP-27)', () => {
    const clock = new ManualClock()
    let [asked, silent] = [0, 0]
    heartbeat(
      clock,
      () => asked++,
      () => silent++,
      2,
    )
    clock.advance(14_999)
    expect([asked, silent]).toEqual([2, 0])
    clock.advance(1)
    expect([asked, silent]).toEqual([2, 1])
  })

  it('sends no ping after it was stopped', () => {
    const clock = new ManualClock()
    let asked = 0
    const beat = heartbeat(
      clock,
      () => asked++,
      () => {},
    )
    beat.stop()
    clock.advance(60_000)
    expect(asked).toBe(0)
  })
})
