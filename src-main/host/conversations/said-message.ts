import { randomUUID } from 'node:crypto'
import { ATTACHMENT_LIMIT, type Attachment, isFile } from '../../../src-shared/contract/attachments.ts'
import { INLINE_LIMIT } from '../../../src-shared/contract/blobs.ts'
import { type Message, type MessagePart, TITLE_LENGTH } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { MessageId, TurnId } from '../../../src-shared/contract/ids.ts'
import type { BlobStore } from '../../storage/base/storage.ts'
import { boundedText, cut, InlineBudget } from '../core/content-views.ts'

/** Bytes of what a person says at once. */
export const MESSAGE_LIMIT = 1024 * 1024
/** Bytes of attachments in the record of one message. */
const ATTACHED_BYTES = 24 * 1024

interface Said {
  readonly text: string
  readonly attached: readonly Attachment[]
  readonly turnId: TurnId
  readonly at: number
}

/** The message of a person. It may be without words where something goes with it. */
export async function saidMessage({ text, attached, turnId, at }: Said, blobs: BlobStore): Promise<Message> {
  const wordless = text.trim() === ''
  if (wordless && attached.length === 0) throw new HostError('invalid-params', 'The message is empty.')
  const taken = attached.length > 0 ? Buffer.byteLength(JSON.stringify(attached)) : 0
  if (attached.length > ATTACHMENT_LIMIT || taken > ATTACHED_BYTES) {
    throw new HostError('refused', 'This is too much for one message. Remove some attachments.')
  }
  const budget = new InlineBudget(taken > 0 ? INLINE_LIMIT - taken - 1024 : INLINE_LIMIT)
  const words: MessagePart[] = wordless ? [] : [{ type: 'text', ...(await boundedText(text, blobs, budget)) }]
  return {
    id: randomUUID() as MessageId,
    turnId,
    role: 'user',
    at,
    parts: [...words, ...attached.map(attachedPart)],
    status: 'done',
  }
}

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

/** It as a part of the message that it goes with. */
export function attachedPart(attachment: Attachment): MessagePart {
  return isFile(attachment) ? { type: 'file', ...attachment } : { type: 'resource', ...attachment }
}

/** The attachments of a message. */
export function attachmentsOf(message: Message): readonly Attachment[] {
  return message.parts.flatMap((part) => (part.type === 'resource' || part.type === 'file' ? [part] : []))
}

/** Throws HostError `invalid-params`. */
export function checkLength(message: string): void {
  if (Buffer.byteLength(message) > MESSAGE_LIMIT) throw new HostError('invalid-params', 'The message is longer than 1 MiB.')
}

/** The first line that says something, cut to fit a list. */
export function titleOf(text: string): string {
  const line = text.split(/[\r\n]+/).find((one) => one.trim()) ?? ''
  return cut(line.trim().replace(/\s+/g, ' '), TITLE_LENGTH)
}
