/** Lets so many through per second and counts the rest. */
export class RateWindow {
  readonly #perSecond: number
  #began = Number.NEGATIVE_INFINITY
  #passed = 0
  #dropped = 0

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** True when one more may pass. `now` in milliseconds. */
  pass(now: number): boolean {
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
