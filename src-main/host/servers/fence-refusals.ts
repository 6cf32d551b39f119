import type { Clock } from '../../../src-shared/base/clock.ts'
import { BLOCKED_SHOWN, type BlockedReach, type ServerOptions } from '../../../src-shared/contract/servers.ts'
import type { ServerLog } from '../connection/server-log.ts'
import { BlockedReaches } from '../launch/blocked-reaches.ts'
import type { Fences } from '../launch/fences.ts'

interface FenceRefusalsParts {
  readonly clock: Clock
  readonly log: ServerLog
  readonly fences: Pick<Fences, 'guesses'>
  readonly options: () => ServerOptions
  readonly onChange: () => void
}

/** Reaches that a fence kept from one server: known from refusals, or guessed from the server's errors. */
export class FenceRefusals {
  readonly #parts: FenceRefusalsParts
  readonly reaches: BlockedReaches
  /** Reads the error of a start that failed. */
  #guessing: Promise<void> | undefined

  constructor(parts: FenceRefusalsParts) {
    this.#parts = parts
    this.reaches = new BlockedReaches(parts.clock)
  }

  add(reached: readonly BlockedReach[]): void {
    const { log, onChange } = this.#parts
    const added = reached.filter((reach) => this.reaches.add(reach))
    for (const { name } of added.filter(({ guessed }) => !guessed)) log.add('host', `Its fence refused it ${name}.`)
    if (added.length > 0) onChange()
  }

  startFailed(error: string): void {
    this.#guessing = this.#guess(error)
  }

  /** Collects what is kept from it; the returned function ends that and takes the error of what failed meanwhile. */
  collect(): (error?: string) => Promise<readonly BlockedReach[]> {
    const collected = this.reaches.collect()
    return async (error) => {
      await this.#guessing
      if (error !== undefined) await this.#guess(error)
      const { keptOut } = this.#parts.options()
      return collected()
        .filter(({ name }) => !keptOut.includes(name))
        .slice(0, BLOCKED_SHOWN)
    }
  }

  /** Those that the person may decide about, and has not. */
  undecided({ fence, keptOut }: ServerOptions): readonly BlockedReach[] {
    const open = this.reaches.beyond(fence).filter(({ name, closed }) => !closed && !keptOut.includes(name))
    return open.slice(0, BLOCKED_SHOWN).map(({ times: _times, at: _at, ...reach }) => reach)
  }

  async #guess(error: string): Promise<void> {
    const { log, fences, options } = this.#parts
    const { fence } = options()
    if (fence) this.add(await fences.guesses(log.clean(error), fence))
  }
}
