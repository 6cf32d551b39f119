import type { Message, MessagePart } from '../../../src-shared/contract/conversations.ts'
import type { BlobStore } from '../../storage/base/storage.ts'
import { boundedText, InlineBudget } from '../core/content-views.ts'

/** Long parts travel as their head and a reference. */
export async function boundedMessage(message: Message, blobs: BlobStore): Promise<Message> {
  const budget = new InlineBudget()
  const parts: MessagePart[] = []
  for (const part of message.parts) {
    parts.push(
      part.type === 'text' || part.type === 'thinking'
        ? { type: part.type, ...(await boundedText(part.text, blobs, budget)) }
        : part,
    )
  }
  return { ...message, parts }
}
