/** Limits events per second and counts the dropped ones. */
export class RateWindow {
  readonly #perSecond: number
  #began = Number.NEGATIVE_INFINITY
  #passed = 0
  #dropped = 0

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

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

  get dropped(): number {
    return this.#dropped
  }
}
