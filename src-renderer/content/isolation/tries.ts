import type { Clock } from '../../../src-shared/base/clock.ts'

const FIRST_PAUSE = 5_000
const MAX_PAUSE = 3_600_000

/**
 * Tries of work that was late. A busy machine makes anything late, so none is the last; each has up to eight times as long as the first and
 * comes after three times the pause before it, so that work without an end costs less and less.
 */
export class Tries {
  readonly #clock: Clock
  #late = 0
  #stopPause = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Milliseconds that this try has, if the first has `first`. */
  time(first: number): number {
    return first * 2 ** Math.min(this.#late, 3)
  }

  /** This try was late: `next` is called after the pause. */
  late(next: () => void): void {
    const pause = Math.min(FIRST_PAUSE * 3 ** this.#late, MAX_PAUSE)
    this.#late += 1
    this.end()
    this.#stopPause = this.#clock.after(pause, next)
  }

  end(): void {
    this.#stopPause()
  }
}
