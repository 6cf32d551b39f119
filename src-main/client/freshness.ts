import type { Clock } from '../../src-shared/base/clock.ts'

/** Milliseconds between two readings that only age gave reason for (V26-CACHE-11). */
const AT_MOST_EVERY = 30_000

/** How long something that was read stays true by what the server said of it (2026-07-28 server/utilities/caching). */
export class Freshness {
  readonly #clock: Clock
  #readAt = Number.NEGATIVE_INFINITY
  #until = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The time at which what comes now with this time to live is stale. */
  ends(ttl: number): number {
    return this.#clock.now() + ttl
  }

  /** It was read, or the reading failed: then it is as stale as it was. */
  read(until: number | undefined): void {
    this.#readAt = this.#clock.now()
    if (until !== undefined) this.#until = until
  }

  /** True if it must be read before use. A clock that was put back proves nothing fresh. */
  get due(): boolean {
    const now = this.#clock.now()
    const since = now - this.#readAt
    return (now >= this.#until || since < 0) && (since >= AT_MOST_EVERY || since < 0)
  }
}
