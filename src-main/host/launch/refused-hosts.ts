import type { Clock } from '../../../src-shared/base/clock.ts'
import type { RefusedHost } from '../../../src-shared/contract/servers.ts'

/** Hosts kept; of a flood of names, the first ones. */
const HOSTS = 50

/** The hosts that a server's fence refused since Parley started. */
export class RefusedHosts {
  readonly #clock: Clock
  readonly #refused = new Map<string, RefusedHost>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#refused.size
  }

  /** True for a host that is kept and was not refused before. */
  add(host: string): boolean {
    const before = this.#refused.get(host)
    if (!before && this.#refused.size >= HOSTS) return false
    this.#refused.set(host, { host, times: (before?.times ?? 0) + 1, at: this.#clock.now() })
    return !before
  }

  all(): readonly RefusedHost[] {
    return [...this.#refused.values()]
  }
}
