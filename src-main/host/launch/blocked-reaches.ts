import type { Clock } from '../../../src-shared/base/clock.ts'
import type { BlockedReach, CountedReach, FencePolicy } from '../../../src-shared/contract/servers.ts'
import { allowsReach } from './fence-policy.ts'

/** Reaches kept; of a flood, the first ones. */
const KEPT = 50

/** Hosts and folders that a server's fence kept from it since Parley started. */
export class BlockedReaches {
  readonly #clock: Clock
  readonly #kept = new Map<string, CountedReach>()
  /** Rises with each reach. */
  #count = 0
  readonly #last = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** True for one that is kept and is new. A fence's own refusal is never a guess again. */
  add(reach: BlockedReach): boolean {
    const key = `${reach.kind} ${reach.name}`
    const before = this.#kept.get(key)
    if (!before && this.#kept.size >= KEPT) return false
    this.#count += 1
    this.#last.set(key, this.#count)
    const { guessed: _guessed, ...sure } = reach
    const what = before && !before.guessed ? sure : reach
    this.#kept.set(key, { ...what, times: (before?.times ?? 0) + 1, at: this.#clock.now() })
    return !before
  }

  /** Those that a server does not reach under its present policy. */
  beyond(policy: FencePolicy | null): readonly CountedReach[] {
    return policy ? [...this.#kept.values()].filter((reach) => !allowsReach(policy, reach)) : []
  }

  /** Begins to collect; the returned function gives what was added meanwhile. */
  collect(): () => readonly BlockedReach[] {
    const from = this.#count
    return () => {
      const since = [...this.#kept].filter(([key]) => (this.#last.get(key) ?? 0) > from)
      return since.map(([, { times: _times, at: _at, ...reach }]) => reach)
    }
  }
}
