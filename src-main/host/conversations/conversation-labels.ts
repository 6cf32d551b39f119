import { PIN_LIMIT, TAG_LENGTH, TAG_LIMIT } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationStore } from '../../storage/base/storage.ts'
import type { Conversation } from './conversation.ts'
import { titleOf } from './said-message.ts'

/** How people find conversations again: titles, pins, tags, and what is archived. */
export class ConversationLabels {
  readonly #store: ConversationStore

  constructor(store: ConversationStore) {
    this.#store = store
  }

  async rename(conversation: Conversation, title: string): Promise<void> {
    const line = titleOf(title)
    if (!line) throw new HostError('invalid-params', 'A title needs at least one character.')
    await conversation.changeHead((head) => ({ ...head, title: line }))
  }

  async pin(conversation: Conversation, pinned: boolean): Promise<void> {
    const { pinned: before = false } = conversation.head
    if (before === pinned) return
    if (pinned && (await this.#store.heads({ limit: 1, pinned: true })).total >= PIN_LIMIT) {
      throw new HostError('refused', `${PIN_LIMIT} conversations are pinned already. Unpin one first.`)
    }
    await conversation.changeHead(({ pinned: _before, ...head }) => (pinned ? { ...head, pinned } : head))
  }

  /** Archiving unpins a conversation. */
  async archive(conversation: Conversation, archived: boolean): Promise<void> {
    await conversation.changeHead((head) => {
      const { archived: before = false, pinned, ...kept } = head
      if (before === archived) return head
      return archived ? { ...kept, archived } : { ...kept, ...(pinned && { pinned }) }
    })
  }

  async tag(conversation: Conversation, tags: readonly string[]): Promise<void> {
    const tidy = [...new Set(tags.map((tag) => tag.trim().replace(/\s+/g, ' ')).filter(Boolean))]
    if (tidy.length > TAG_LIMIT) throw new HostError('invalid-params', `A conversation has at most ${TAG_LIMIT} tags.`)
    const long = tidy.find((tag) => tag.length > TAG_LENGTH)
    if (long !== undefined) throw new HostError('invalid-params', `A tag has at most ${TAG_LENGTH} characters.`)
    await conversation.changeHead(({ tags: _before, ...head }) => (tidy.length > 0 ? { ...head, tags: tidy } : head))
  }

  async tags(): Promise<{ tags: readonly { tag: string; count: number }[]; archived: number }> {
    const { total } = await this.#store.heads({ limit: 1, archived: true })
    return { tags: await this.#store.tags(), archived: total }
  }
}
