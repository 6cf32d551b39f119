import type { Clock } from '../../src-shared/base/clock.ts'

const PER_MINUTE = 20
const CHARACTERS = 300

/** Limits the warnings about a server, so that one that prints nonsense does not fill the log. */
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
    else if (this.#inMinute === PER_MINUTE + 1) this.#each('Further warnings are not shown for a minute.')
  }
}
