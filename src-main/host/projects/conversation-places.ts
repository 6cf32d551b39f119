import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { NO_PLACE, type Place } from '../../../src-shared/contract/projects.ts'
import type { HostCore } from '../core/host-core.ts'
import { tidyPlace } from './tidy-place.ts'

/** Places of single conversations: known servers may read there without a question, and calls outside are marked. */
export class ConversationPlaces {
  readonly #parts: Pick<HostCore, 'storage' | 'folders'>
  readonly #places = new Map<string, Place>()

  constructor(parts: Pick<HostCore, 'storage' | 'folders'>) {
    this.#parts = parts
  }

  async load(): Promise<void> {
    for (const { id, place } of await this.#parts.storage.conversations.places()) this.#places.set(id, place)
  }

  of(id: ConversationId): Place {
    return this.#places.get(id) ?? NO_PLACE
  }

  /** A copy keeps the place of its original: the store has it there already. */
  copied(from: ConversationId, to: ConversationId): void {
    const place = this.#places.get(from)
    if (place) this.#places.set(to, place)
  }

  /** Throws HostError for the first that cannot be named, `not-found` without the conversation. */
  async set(id: ConversationId, wanted: Place): Promise<void> {
    if (!(await this.#parts.storage.conversations.head(id)))
      throw new HostError('not-found', 'This conversation no longer exists.')
    const place = await tidyPlace(wanted, this.of(id), this.#parts)
    await this.#parts.storage.conversations.saveState(id, { place })
    this.#places.set(id, place)
  }
}
