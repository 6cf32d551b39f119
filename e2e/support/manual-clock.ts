import type { Clock } from '../../src-shared/base/clock.ts'

/** A clock that moves only by `advance`. */
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

  /** Number of pending timers. */
  get pending(): number {
    return this.#timers.size
  }
}
