import type { Clock } from '../../../src-shared/base/clock.ts'

const FIRST_PAUSE = 5_000
const MAX_PAUSE = 3_600_000

/**
 * Repeats work that was late. A busy machine may delay anything, so there is no last attempt: each has up to eight times the time
 * of the first, and the pause before it triples, so that hopeless work costs less and less.
 */
export class Tries {
  readonly #clock: Clock
  #late = 0
  #stopPause = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Milliseconds for this attempt when the first has `first`. */
  time(first: number): number {
    return first * 2 ** Math.min(this.#late, 3)
  }

  /** Schedules `next` after a late attempt. */
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
