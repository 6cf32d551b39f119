import type { Clock } from '../../../src-shared/base/clock.ts'
import type { EraFound } from '../../protocol/era.ts'
import type { FoundEra, RecordStore } from '../../storage/base/storage.ts'
import { KeptRecords } from '../core/kept-records.ts'

/** Milliseconds after which a server is probed again, because it may have been updated (V26-NEG-15). */
const KEPT_FOR = 7 * 24 * 60 * 60_000
const MAX_COUNT = 500

/**
 * Costly results of probes, by launch identity: the server stays silent, or exits, or speaks HTTP+SSE. Any other answer costs one
 * message, so it is not remembered.
 */
export class RememberedEras {
  readonly #clock: Clock
  readonly #found: KeptRecords<'found-era'>

  constructor(records: RecordStore, clock: Clock) {
    this.#clock = clock
    this.#found = new KeptRecords(records, 'found-era')
  }

  load(): Promise<void> {
    return this.#found.load((found) => (this.#holds(found) ? found : undefined))
  }

  of(identity: string): FoundEra['by'] | undefined {
    const found = this.#found.get(identity)
    return found && this.#holds(found) ? found.by : undefined
  }

  /** False also for a time in the future, so that a clock that was turned back keeps no entry for ever. */
  #holds({ at }: FoundEra): boolean {
    const age = this.#clock.now() - at
    return age >= 0 && age < KEPT_FOR
  }

  /** Remembers a costly result of opening a server, and forgets one that no longer holds. */
  async settle(identity: string, { by }: Pick<EraFound, 'by'>, oldStream: boolean): Promise<void> {
    const before = this.of(identity)
    const shown = oldStream ? 'http-sse' : by
    if (shown === before || shown === 'choice') return
    if (shown === 'http-sse' || shown === 'silence' || shown === 'exit') await this.#keep(identity, shown)
    else if (shown !== 'memory' || before === 'http-sse') await this.forget(identity)
  }

  async #keep(identity: string, by: FoundEra['by']): Promise<void> {
    await this.#found.put(identity, { by, at: this.#clock.now() })
    const at = (key: string) => this.#found.get(key)?.at ?? 0
    const [oldest] = this.#found.keys().toSorted((one, other) => at(one) - at(other))
    if (this.#found.size > MAX_COUNT && oldest !== undefined) await this.forget(oldest)
  }

  async forget(identity: string): Promise<void> {
    if (this.#found.has(identity)) await this.#found.remove(identity)
  }
}
