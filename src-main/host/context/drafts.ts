import { InTurn } from '../../../src-shared/base/in-turn.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ConversationStore, RecordStore } from '../../storage/base/storage.ts'
import { asked } from '../core/host-errors.ts'

/** Of more conversations nobody expects an unsent message; those written to longest ago go first. */
const MOST = 100

/** What was written and not yet sent: of a conversation, or of the next `new` one. */
export class Drafts {
  readonly #records: RecordStore
  readonly #conversations: Pick<ConversationStore, 'head'>
  readonly #changes = new InTurn()

  constructor({ records, conversations }: { records: RecordStore; conversations: Pick<ConversationStore, 'head'> }) {
    this.#records = records
    this.#conversations = conversations
  }

  /** Those of conversations that still exist. */
  async all(): Promise<{ drafts: Readonly<Record<string, string>> }> {
    const kept = await asked(this.#records.all('draft'))
    const drafts: [string, string][] = []
    for (const [id, { text }] of kept) {
      if (id === 'new' || (await asked(this.#conversations.head(id as ConversationId)))) drafts.push([id, text])
      else await asked(this.#records.remove('draft', id))
    }
    return { drafts: Object.fromEntries(drafts) }
  }

  /** An empty one is forgotten. */
  keep(id: ConversationId | 'new', text: string): Promise<void> {
    return this.#changes.run(() => this.#keep(id, text))
  }

  async #keep(id: ConversationId | 'new', text: string): Promise<void> {
    // Records come in the order in which they were first put: this one is the latest now.
    await asked(this.#records.remove('draft', id))
    if (text === '') return
    await asked(this.#records.put('draft', id, { text }))
    const kept = [...(await asked(this.#records.all('draft'))).keys()]
    for (const old of kept.slice(0, Math.max(0, kept.length - MOST))) await asked(this.#records.remove('draft', old))
  }
}
