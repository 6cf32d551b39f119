import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { KeptOffer, RecordStore } from '../../storage/base/storage.ts'
import { KeptRecords } from '../core/kept-records.ts'

/** Characters of one server's offer as JSON; all of them are in memory. A longer one is asked for again. */
const MAX_LENGTH = 1024 * 1024

export type ConnectionOffer = Pick<KeptOffer, 'hello' | 'catalog'>

/** The offers of all servers as of their last connections, for the time in which they do not run (decision 0050). */
export class KeptOffers {
  readonly #kept: KeptRecords<'kept-offer'>

  constructor(records: RecordStore) {
    this.#kept = new KeptRecords(records, 'kept-offer')
  }

  load(): Promise<void> {
    return this.#kept.load()
  }

  /** Undefined for another launch than the one that offered it: another program may offer anything. */
  of(serverId: ServerId, launchIdentity: string): ConnectionOffer | undefined {
    const kept = this.#kept.get(serverId)
    return kept?.launchIdentity === launchIdentity ? kept : undefined
  }

  /** Forgets what it offered before when this is too long to keep. */
  async keep(serverId: ServerId, offer: KeptOffer): Promise<void> {
    const text = JSON.stringify(offer)
    const before = this.#kept.get(serverId)
    if (before && JSON.stringify(before) === text) return
    if (text.length > MAX_LENGTH) await this.forget(serverId)
    else await this.#kept.change(serverId, () => offer, offer)
  }

  async forget(serverId: ServerId): Promise<void> {
    if (this.#kept.has(serverId)) await this.#kept.remove(serverId)
  }
}
