import type { Clock } from '../../src-shared/base/clock.ts'

/** Lets so many through per second and counts the rest. */
export class RateWindow {
  readonly #clock: Clock
  readonly #perSecond: number
  #began = Number.NEGATIVE_INFINITY
  #passed = 0
  #dropped = 0

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock
    this.#perSecond = perSecond
  }

  /** True when one more may pass now. */
  pass(): boolean {
    const now = this.#clock.now()
    if (now - this.#began >= 1000) {
      this.#began = now
      this.#passed = 0
    }
    if (this.#passed < this.#perSecond) {
      this.#passed++
      return true
    }
    this.#dropped++
    return false
  }

  /** How many were stopped so far. */
  get dropped(): number {
    return this.#dropped
  }
}
