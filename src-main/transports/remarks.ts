import type { Clock } from '../../src-shared/base/clock.ts'

const PER_MINUTE = 20
const CHARACTERS = 300

/** Passes on what is odd but no failure, at most so much of it: a server that prints nonsense must not fill the log. */
export class Remarks {
  readonly #clock: Clock
  readonly #each: (text: string) => void
  #minuteStart = Number.NEGATIVE_INFINITY
  #inMinute = 0

  constructor(clock: Clock, each: (text: string) => void) {
    this.#clock = clock
    this.#each = each
  }

  add(text: string): void {
    const now = this.#clock.now()
    if (now - this.#minuteStart >= 60_000) {
      this.#minuteStart = now
      this.#inMinute = 0
    }
    this.#inMinute += 1
    if (this.#inMinute <= PER_MINUTE) this.#each(text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}…` : text)
    else if (this.#inMinute === PER_MINUTE + 1) this.#each('More of the like is not shown for a minute.')
  }
}
