import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { Storage } from '../../storage/base/storage.ts'

/** Unsent texts of conversations, and of the next one under `new`. */
export class Drafts {
  readonly #storage: Pick<Storage, 'records' | 'conversations' | 'states'>

  constructor(storage: Pick<Storage, 'records' | 'conversations' | 'states'>) {
    this.#storage = storage
  }

  async all(): Promise<{ drafts: Readonly<Record<string, string>> }> {
    const { records, states } = this.#storage
    const [unplaced, drafts] = await Promise.all([records.all('draft'), states.drafts()])
    return { drafts: { ...drafts, ...Object.fromEntries([...unplaced].map(([key, { text }]) => [key, text])) } }
  }

  /** An empty draft is removed. */
  async keep(id: ConversationId | 'new', draft: string): Promise<void> {
    const { records, conversations } = this.#storage
    if (id !== 'new') await conversations.change({ id, state: { draft } })
    else if (draft === '') await records.remove('draft', id)
    else await records.put('draft', id, { text: draft })
  }
}
