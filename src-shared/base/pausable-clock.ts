import type { Clock } from './clock.ts'

interface Timer {
  left: number
  /** Time of the underlying clock at which the timer last started to run. */
  since: number
  cancel: () => void
  readonly run: () => void
}

/** A clock that stands still while it is held: time that a person takes to answer does not count towards timeouts. */
export class PausableClock implements Clock {
  readonly #clock: Clock
  readonly #timers = new Set<Timer>()
  #holds = 0
  #heldSince = 0
  #heldTotal = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Only differences are meaningful. */
  now(): number {
    return (this.#holds > 0 ? this.#heldSince : this.#clock.now()) - this.#heldTotal
  }

  after(ms: number, run: () => void): () => void {
    const timer: Timer = { left: ms, since: 0, cancel: () => {}, run }
    this.#timers.add(timer)
    if (this.#holds === 0) this.#go(timer)
    return () => {
      timer.cancel()
      this.#timers.delete(timer)
    }
  }

  /** Stops time until every hold is released. Returns the release; calling it again does nothing. */
  hold(): () => void {
    if (this.#holds++ === 0) {
      this.#heldSince = this.#clock.now()
      for (const timer of this.#timers) {
        timer.cancel()
        timer.left -= this.#heldSince - timer.since
      }
    }
    let released = false
    return () => {
      if (released) return
      released = true
      if (--this.#holds > 0) return
      this.#heldTotal += this.#clock.now() - this.#heldSince
      for (const timer of this.#timers) this.#go(timer)
    }
  }

  #go(timer: Timer): void {
    timer.since = this.#clock.now()
    timer.cancel = this.#clock.after(Math.max(0, timer.left), () => {
      this.#timers.delete(timer)
      timer.run()
    })
  }
}
