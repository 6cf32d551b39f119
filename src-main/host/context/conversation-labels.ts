import { PIN_LIMIT, TAG_LENGTH, TAG_LIMIT } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ConversationStore } from '../../storage/base/storage.ts'
import type { Conversations } from '../conversations/conversations.ts'
import { asked } from '../core/host-errors.ts'

/** How people find conversations again: pins, tags, and what is archived. */
export class ConversationLabels {
  readonly #conversations: Conversations
  readonly #store: ConversationStore

  constructor(conversations: Conversations, store: ConversationStore) {
    this.#conversations = conversations
    this.#store = store
  }

  async pin(id: ConversationId, pinned: boolean): Promise<void> {
    const { pinned: before = false } = await this.#conversations.head(id)
    if (before === pinned) return
    if (pinned && (await asked(this.#store.heads({ limit: 1, pinned: true }))).total >= PIN_LIMIT) {
      throw new HostError('refused', `${PIN_LIMIT} conversations are pinned already. Unpin one first.`)
    }
    await this.#conversations.changeHead(id, ({ pinned: _before, ...head }) => (pinned ? { ...head, pinned } : head))
  }

  /** Archiving unpins a conversation. */
  async archive(id: ConversationId, archived: boolean): Promise<void> {
    await this.#conversations.changeHead(id, (head) => {
      const { archived: before = false, pinned, ...kept } = head
      if (before === archived) return head
      return archived ? { ...kept, archived } : { ...kept, ...(pinned && { pinned }) }
    })
  }

  async tag(id: ConversationId, tags: readonly string[]): Promise<void> {
    const tidy = [...new Set(tags.map((tag) => tag.trim().replace(/\s+/g, ' ')).filter(Boolean))]
    if (tidy.length > TAG_LIMIT) throw new HostError('invalid-params', `A conversation has at most ${TAG_LIMIT} tags.`)
    const long = tidy.find((tag) => tag.length > TAG_LENGTH)
    if (long !== undefined) throw new HostError('invalid-params', `A tag has at most ${TAG_LENGTH} characters.`)
    await this.#conversations.changeHead(id, ({ tags: _before, ...head }) => (tidy.length > 0 ? { ...head, tags: tidy } : head))
  }

  async tags(): Promise<{ tags: readonly { tag: string; count: number }[]; archived: number }> {
    const { total } = await asked(this.#store.heads({ limit: 1, archived: true }))
    return { tags: await asked(this.#store.tags()), archived: total }
  }
}
