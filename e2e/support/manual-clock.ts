import type { Clock } from '../../src-shared/base/clock.ts'
import { until } from './until.ts'

/** A clock that moves only when a test says so. */
export class ManualClock implements Clock {
  #now: number
  readonly #timers = new Set<{ at: number; run: () => void }>()

  constructor(now = 0) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), run }
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
    }
  }

  /** Moves time forward and runs due timers in order. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0]
      if (!due) break
      this.#timers.delete(due)
      this.#now = due.at
      due.run()
    }
    this.#now = end
  }

  /** Moves time forward as a real clock does until a promise has settled. */
  async runDuring<T>(promise: Promise<T>): Promise<T> {
    let settled = false
    const settle = () => {
      settled = true
    }
    promise.then(settle, settle)
    let before = Date.now()
    await until(() => {
      const now = Date.now()
      this.advance(now - before)
      before = now
      return settled
    }, 'a promise while the clock runs')
    return promise
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#timers.size
  }
}

/** Waits for the end of what lives by a clock. One that stood still would never end some waits. */
export function ended(end: Promise<void>, clock: Clock): Promise<void> {
  return clock instanceof ManualClock ? clock.runDuring(end) : end
}
