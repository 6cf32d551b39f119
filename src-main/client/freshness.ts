import type { Clock } from '../../src-shared/base/clock.ts'

/** Minimum milliseconds between two reloads for age alone (V26-CACHE-11). */
const MIN_INTERVAL = 30_000

/** The age of loaded data against the server's time to live (2026-07-28 server/utilities/caching). */
export class Freshness {
  readonly #clock: Clock
  #readAt = Number.NEGATIVE_INFINITY
  #until = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The time at which data that comes now is stale. */
  ends(ttl: number): number {
    return this.#clock.now() + ttl
  }

  /** Notes a load; without `until` it failed, and the data stays as stale as it was. */
  read(until: number | undefined): void {
    this.#readAt = this.#clock.now()
    if (until !== undefined) this.#until = until
  }

  /** True if a reload is due before use. After the clock was set back everything is stale. */
  get due(): boolean {
    const now = this.#clock.now()
    const since = now - this.#readAt
    return (now >= this.#until || since < 0) && (since >= MIN_INTERVAL || since < 0)
  }
}
