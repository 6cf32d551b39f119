import type { Clock } from '../../../src-shared/base/clock.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ConversationStore, RecordStore, Storage } from '../../storage/base/storage.ts'
import { asked } from '../core/host-errors.ts'

/** Of more conversations nobody expects an unsent message; those written to longest ago go first. */
const MOST = 100

/** Unsent texts: of a conversation, or of the next `new` one. */
export class Drafts {
  readonly #records: RecordStore
  readonly #conversations: Pick<ConversationStore, 'head'>
  readonly #clock: Clock
  readonly #changes = new InTurn()
  #writtenAt: Map<string, number> | undefined

  constructor({ records, conversations }: Pick<Storage, 'records' | 'conversations'>, clock: Clock) {
    this.#records = records
    this.#conversations = conversations
    this.#clock = clock
  }

  /** Those of conversations that still exist. */
  all(): Promise<{ drafts: Readonly<Record<string, string>> }> {
    return this.#changes.run(() => this.#all())
  }

  async #all(): Promise<{ drafts: Readonly<Record<string, string>> }> {
    const kept = await asked(this.#records.all('draft'))
    const drafts: [string, string][] = []
    for (const [id, { text }] of kept) {
      if (id === 'new' || (await asked(this.#conversations.head(id as ConversationId)))) drafts.push([id, text])
      else await this.#forget(id)
    }
    return { drafts: Object.fromEntries(drafts) }
  }

  /** An empty one is forgotten. */
  keep(id: ConversationId | 'new', text: string): Promise<void> {
    return this.#changes.run(() => this.#keep(id, text))
  }

  async #keep(id: ConversationId | 'new', text: string): Promise<void> {
    if (text === '') return this.#forget(id)
    const times = await this.#times()
    const at = this.#clock.now()
    await asked(this.#records.put('draft', id, { text, at }))
    times.set(id, at)
    const oldest = [...times].sort(([, one], [, other]) => one - other).slice(0, Math.max(0, times.size - MOST))
    for (const [old] of oldest) await this.#forget(old)
  }

  /** When each was written to last; read from the disk once, for this is asked at each pause in typing. */
  async #times(): Promise<Map<string, number>> {
    this.#writtenAt ??= new Map([...(await asked(this.#records.all('draft')))].map(([id, { at = 0 }]) => [id, at]))
    return this.#writtenAt
  }

  async #forget(id: string): Promise<void> {
    await asked(this.#records.remove('draft', id))
    this.#writtenAt?.delete(id)
  }
}
