import type { Clock } from '../../../src-shared/base/clock.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import type { EraFound } from '../../protocol/era.ts'
import type { FoundEra, RecordStore } from '../../storage/base/storage.ts'

/** After that a server is asked again what it speaks: it may have been updated (V26-NEG-15). */
const KEPT_FOR = 7 * 24 * 60 * 60_000
/** Enough for everybody's servers; the oldest goes first. */
const MOST = 500

/**
 * Costly findings about servers, by launch identity: that one is silent when it is asked for its era, or ends, or has
 * the oldest stream over HTTP. A plain answer costs one message, and is asked for each time.
 */
export class RememberedEras {
  readonly #records: RecordStore
  readonly #clock: Clock
  readonly #changes = new InTurn()
  #found = new Map<string, FoundEra>()

  constructor(records: RecordStore, clock: Clock) {
    this.#records = records
    this.#clock = clock
  }

  async load(): Promise<void> {
    this.#found = await this.#records.all('found-era')
    for (const identity of [...this.#found.keys()]) if (!this.of(identity)) await this.forget(identity)
  }

  of(identity: string): FoundEra['by'] | undefined {
    const found = this.#found.get(identity)
    // A clock that was turned back must not make it last for ever.
    const age = found ? this.#clock.now() - found.at : KEPT_FOR
    return age >= 0 && age < KEPT_FOR ? found?.by : undefined
  }

  /** Records what an opening has shown: kept when it was costly, and dropped when it no longer holds. */
  async settle(identity: string, { by }: Pick<EraFound, 'by'>, oldStream: boolean): Promise<void> {
    const before = this.of(identity)
    const shown = oldStream ? 'http-sse' : by
    if (shown === before || shown === 'choice') return
    if (shown === 'http-sse' || shown === 'silence' || shown === 'exit') await this.#keep(identity, shown)
    else if (shown !== 'memory' || before === 'http-sse') await this.forget(identity)
  }

  async #keep(identity: string, by: FoundEra['by']): Promise<void> {
    const found = { by, at: this.#clock.now() }
    this.#found.delete(identity)
    this.#found.set(identity, found)
    await this.#changes.run(() => this.#records.put('found-era', identity, found))
    const [oldest] = this.#found.keys()
    if (this.#found.size > MOST && oldest !== undefined) await this.forget(oldest)
  }

  async forget(identity: string): Promise<void> {
    if (this.#found.delete(identity)) await this.#changes.run(() => this.#records.remove('found-era', identity))
  }
}
