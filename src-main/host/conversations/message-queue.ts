import { dropOldest } from '../../../src-shared/base/drop-oldest.ts'
import type { Attachment } from '../../../src-shared/contract/attachments.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { MessageId } from '../../../src-shared/contract/ids.ts'
import { QUEUE_LIMIT } from '../../../src-shared/contract/queue.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'
import type { BlobStore } from '../../storage/base/storage.ts'
import { checkRoom } from './attachments.ts'
import { attachmentsOf, textOf } from './person-message.ts'

/** Removed messages that can be restored. */
const MAX_REMOVED = 24

type WriteEvents = (change: { events: readonly ConversationEvent[] }) => Promise<void>

/** Part of a conversation that its queue needs. */
interface QueuedIn {
  readonly queued: readonly Message[]
  readonly waiting: readonly Attachment[]
  exclusively<T>(run: (write: WriteEvents) => Promise<T>): Promise<T>
}

/** Messages that wait for the end of the running turn, in the order in which they will be sent (decision 0048). */
export class MessageQueue {
  readonly #conversation: QueuedIn
  readonly #blobs: BlobStore
  /** With the message that came after it; in memory only, the oldest first. */
  readonly #removed = new Map<MessageId, { readonly message: Message; readonly next: MessageId | undefined }>()

  constructor(conversation: QueuedIn, blobs: BlobStore) {
    this.#conversation = conversation
    this.#blobs = blobs
  }

  /** Throws HostError `not-found` for a message that has been sent or removed. */
  find(messageId: MessageId): Message {
    const found = this.#conversation.queued.find(({ id }) => id === messageId)
    if (!found) throw new HostError('not-found', 'This message is no longer waiting.')
    return found
  }

  /** The event that adds a message, at the front or the end. Throws HostError `refused` when too many wait. */
  with(message: Message, first: boolean): ConversationEvent {
    const { queued } = this.#conversation
    if (queued.length >= QUEUE_LIMIT)
      throw new HostError('refused', `${QUEUE_LIMIT} messages are already waiting. Remove one, or wait until one is sent.`)
    return changed(first ? [message, ...queued] : [...queued, message])
  }

  without(messageId: MessageId): ConversationEvent {
    return changed(this.#conversation.queued.filter(({ id }) => id !== messageId))
  }

  /** The event that puts a waiting message to the front. */
  withFirst(message: Message): ConversationEvent {
    return changed([message, ...this.#conversation.queued.filter(({ id }) => id !== message.id)])
  }

  /** Takes a message back to be edited: its text is returned, its attachments wait for the next message again. */
  take(messageId: MessageId): Promise<{ text: string }> {
    return this.#conversation.exclusively(async (write) => {
      const message = this.find(messageId)
      const text = await textOf(message, this.#blobs)
      const attachments = [...attachmentsOf(message), ...this.#conversation.waiting]
      checkRoom(attachments)
      await write({ events: [this.without(messageId), { type: 'attachments.changed', attachments }] })
      return { text }
    })
  }

  remove(messageId: MessageId): Promise<void> {
    return this.#conversation.exclusively(async (write) => {
      const message = this.find(messageId)
      const { queued } = this.#conversation
      const next = queued[queued.indexOf(message) + 1]?.id
      await write({ events: [this.without(messageId)] })
      dropOldest(this.#removed.set(messageId, { message, next }), MAX_REMOVED)
    })
  }

  /** Puts a removed message back to its place. */
  restore(messageId: MessageId): Promise<void> {
    return this.#conversation.exclusively(async (write) => {
      const removed = this.#removed.get(messageId)
      if (!removed) throw new HostError('not-found', 'This message is gone. Write it again.')
      const { message, next } = removed
      const { queued } = this.#conversation
      // Once the next one has been sent, all before it have been, too.
      const to =
        next === undefined
          ? queued.length
          : Math.max(
              0,
              queued.findIndex(({ id }) => id === next),
            )
      await write({ events: [changed([...queued.slice(0, to), message, ...queued.slice(to)])] })
      this.#removed.delete(messageId)
    })
  }
}

const changed = (queue: readonly Message[]): ConversationEvent => ({ type: 'queue.changed', queue })
