import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { MessageId } from '../../../src-shared/contract/ids.ts'
import type { ConversationTopic } from '../../../src-shared/contract/topics.ts'

/** Bytes of a topic when it opens; older messages come by page. */
const TOPIC_BYTES = 1024 * 1024

/** Keeps the newest messages that fit, so that opening never floods a link. */
export function withinBytes(topic: ConversationTopic): ConversationTopic {
  let bytes = 0
  let from = topic.messages.length
  const calls = new Map<MessageId, ToolCall[]>()
  for (const call of Object.values(topic.toolCalls)) calls.set(call.messageId, [...(calls.get(call.messageId) ?? []), call])
  for (const message of [...topic.messages].reverse()) {
    bytes += Buffer.byteLength(JSON.stringify([message, calls.get(message.id) ?? []]))
    if (bytes > TOPIC_BYTES && from < topic.messages.length) break
    from -= 1
  }
  if (from === 0) return topic
  const messages = topic.messages.slice(from)
  const kept = messages.flatMap((message) => calls.get(message.id) ?? [])
  return { ...topic, messages, toolCalls: Object.fromEntries(kept.map((call) => [call.id, call])), hasEarlier: true }
}
