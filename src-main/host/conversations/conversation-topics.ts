import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, MessageId } from '../../../src-shared/contract/ids.ts'
import { applyTopicEvent, type ConversationEvent, type ConversationTopic } from '../../../src-shared/contract/topics.ts'
import { byteLength } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'

/** Bytes that a topic opens with; older messages come by page. */
const TOPIC_BYTES = 1024 * 1024

const EMPTY: ConversationTopic = { kind: 'conversation', messages: [], toolCalls: {}, hasEarlier: false }

interface ConversationTopicsParts extends Pick<HostCore, 'topics'> {
  /** Reads it from storage; undefined when it does not exist. */
  readonly read: (id: ConversationId) => Promise<ConversationTopic | undefined>
  /** Runs while nothing is being shown, so that what is read is exactly what was shown. */
  readonly between: <T>(run: () => Promise<T>) => Promise<T>
}

/** Conversations as the windows that follow them see them: in memory while followed, from storage when opened. */
export class ConversationTopics {
  readonly #parts: ConversationTopicsParts
  readonly #live = new Map<ConversationId, ConversationTopic>()

  constructor(parts: ConversationTopicsParts) {
    this.#parts = parts
    parts.topics.serve(
      'conversation',
      (key) => this.#open(key as ConversationId),
      (key) => void this.#live.delete(key as ConversationId),
    )
  }

  /** To the followers, and to what a later follower will open. */
  show(id: ConversationId, events: readonly ConversationEvent[]): void {
    for (const event of events) {
      const live = this.#live.get(id)
      if (live) this.#live.set(id, applyTopicEvent(live, event))
      this.#parts.topics.emit(`conversation/${id}`, event)
    }
  }

  gone(id: ConversationId): void {
    this.#parts.topics.gone(`conversation/${id}`)
  }

  async #open(id: ConversationId): Promise<(() => ConversationTopic) | undefined> {
    const known = await this.#parts.between(async () => {
      if (this.#live.has(id)) return true
      const topic = await this.#parts.read(id)
      if (topic) this.#live.set(id, withinBytes(topic))
      return topic !== undefined
    })
    // It stays live while somebody opens it: the topic is released only afterwards.
    return known ? () => this.#live.get(id) ?? EMPTY : undefined
  }
}

/** The newest messages that fit, so that opening never floods a link. */
function withinBytes(topic: ConversationTopic): ConversationTopic {
  let bytes = 0
  let from = topic.messages.length
  const calls = new Map<MessageId, ToolCall[]>()
  for (const call of Object.values(topic.toolCalls)) calls.set(call.messageId, [...(calls.get(call.messageId) ?? []), call])
  for (const message of [...topic.messages].reverse()) {
    bytes += byteLength(JSON.stringify([message, calls.get(message.id) ?? []]))
    if (bytes > TOPIC_BYTES && from < topic.messages.length) break
    from -= 1
  }
  if (from === 0) return topic
  const messages = topic.messages.slice(from)
  const kept = messages.flatMap((message) => calls.get(message.id) ?? [])
  return { ...topic, messages, toolCalls: Object.fromEntries(kept.map((call) => [call.id, call])), hasEarlier: true }
}
