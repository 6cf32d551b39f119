import type { Clock } from './clock.ts'

interface Timer {
  left: number
  /** By the clock below, when its time began to run again. */
  since: number
  cancel: () => void
  readonly run: () => void
}

/** A clock on which no time passes while somebody holds it: what a person does is no timeout of anybody else. */
export class PausableClock implements Clock {
  readonly #clock: Clock
  readonly #timers = new Set<Timer>()
  #holds = 0
  #heldSince = 0
  #heldTotal = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Milliseconds that only tell how much time has passed on this clock. */
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

  /** Stops time. Counted; returns the release, which works once. */
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
