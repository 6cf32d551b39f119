import { randomUUID } from 'node:crypto'
import { ATTACHMENT_LIMIT, type Attachment, isFile } from '../../../src-shared/contract/attachments.ts'
import { INLINE_LIMIT } from '../../../src-shared/contract/blobs.ts'
import { type Message, type MessagePart, TITLE_LENGTH, type Turn } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { MessageId, TurnId } from '../../../src-shared/contract/ids.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'
import type { BlobStore } from '../../storage/base/storage.ts'
import { boundText, cut, InlineBudget } from '../core/content-views.ts'
import { readBlobText } from '../models/model-content.ts'

/** Bytes of one message's text. */
export const MESSAGE_LIMIT = 1024 * 1024
/** Bytes of attachments in the record of one message. */
const ATTACHED_BYTES = 24 * 1024

interface MessageInput {
  readonly text: string
  readonly attached: readonly Attachment[]
  readonly turnId: TurnId
  readonly at: number
}

/** A message of the person. Its text may be empty if it has attachments. Throws HostError `invalid-params` or `refused`. */
export async function personMessage({ text, attached, turnId, at }: MessageInput, blobs: BlobStore): Promise<Message> {
  const isEmpty = text.trim() === ''
  if (isEmpty && attached.length === 0) throw new HostError('invalid-params', 'The message is empty.')
  const taken = attached.length > 0 ? Buffer.byteLength(JSON.stringify(attached)) : 0
  if (attached.length > ATTACHMENT_LIMIT || taken > ATTACHED_BYTES) {
    throw new HostError('refused', 'This is too much for one message. Remove some attachments.')
  }
  const budget = new InlineBudget(taken > 0 ? INLINE_LIMIT - taken - 1024 : INLINE_LIMIT)
  const words: MessagePart[] = isEmpty ? [] : [{ type: 'text', ...(await boundText(text, blobs, budget)) }]
  return {
    id: randomUUID() as MessageId,
    turnId,
    role: 'user',
    at,
    parts: [...words, ...attached.map(attachedPart)],
    status: 'done',
  }
}

/** A message of the person with the turn that it begins. */
export function beginningWith(message: Message): { readonly turn: Turn; readonly events: readonly ConversationEvent[] } {
  const turn: Turn = { id: message.turnId, status: 'running', startedAt: message.at, round: 0 }
  return {
    turn,
    events: [
      { type: 'message.added', message },
      { type: 'turn.changed', turn },
    ],
  }
}

/** Cuts long parts to their head and a reference (decision 0010). Text gets inline bytes before thinking. */
export async function boundedMessage(message: Message, blobs: BlobStore): Promise<Message> {
  const budget = new InlineBudget()
  const bounded = new Map<MessagePart, MessagePart>()
  for (const type of ['text', 'thinking'] as const) {
    for (const part of message.parts) {
      if (part.type === type) bounded.set(part, { type, ...(await boundText(part.text, blobs, budget)) })
    }
  }
  return { ...message, parts: message.parts.map((part) => bounded.get(part) ?? part) }
}

export function attachedPart(attachment: Attachment): MessagePart {
  return isFile(attachment) ? { type: 'file', ...attachment } : { type: 'resource', ...attachment }
}

export function attachmentsOf(message: Message): readonly Attachment[] {
  return message.parts.flatMap((part) => (part.type === 'resource' || part.type === 'file' ? [part] : []))
}

/** The text without what is kept as blobs. */
export const shownTextOf = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

/** The whole text. */
export async function textOf(message: Message, blobs: BlobStore): Promise<string> {
  const texts: string[] = []
  for (const part of message.parts) {
    if (part.type === 'text') texts.push(await readBlobText(part, blobs, MESSAGE_LIMIT))
  }
  return texts.join('\n')
}

/** Throws HostError `invalid-params`. */
export function checkLength(message: string): void {
  if (Buffer.byteLength(message) > MESSAGE_LIMIT) throw new HostError('invalid-params', 'The message is longer than 1 MiB.')
}

/** The first line with text, cut to the length of a title. */
export function titleOf(text: string): string {
  const line = text.split(/[\r\n]+/).find((one) => one.trim()) ?? ''
  return cut(line.trim().replace(/\s+/g, ' '), TITLE_LENGTH)
}
