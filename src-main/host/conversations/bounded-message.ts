import type { Message, MessagePart } from '../../../src-shared/contract/conversations.ts'
import type { BlobStore } from '../../storage/base/storage.ts'
import { boundedText, InlineBudget } from '../core/content-views.ts'

/** Long parts travel as their head and a reference (decision 0010); what was thought has the room that what is said leaves. */
export async function boundedMessage(message: Message, blobs: BlobStore): Promise<Message> {
  const budget = new InlineBudget()
  const bounded = new Map<MessagePart, MessagePart>()
  for (const type of ['text', 'thinking'] as const) {
    for (const part of message.parts) {
      if (part.type === type) bounded.set(part, { type, ...(await boundedText(part.text, blobs, budget)) })
    }
  }
  return { ...message, parts: message.parts.map((part) => bounded.get(part) ?? part) }
}
