import { randomUUID } from 'node:crypto'
import { dropOldest } from '../../../src-shared/base/drop-oldest.ts'
import {
  ATTACHMENT_LIMIT,
  type Attachment,
  type Confirm,
  FILES_LIMIT,
  type FileAttachment,
  isFile,
  type ResourceAttachment,
} from '../../../src-shared/contract/attachments.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { AttachmentId, ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { ConversationTopic } from '../../../src-shared/contract/topics.ts'
import { byteLength } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Offerings } from '../offerings/offerings.ts'
import { askToAttach } from '../offerings/resources.ts'
import type { Conversation } from './conversation.ts'
import type { Conversations } from './conversations.ts'
import { attachmentsOf } from './said-message.ts'

/** Bytes of an attachment's text that travel with it. */
const INLINE = 1024
/** Items of a listing-like read that an attachment keeps. */
const ITEMS = 16
/** Bytes of all that waits in one conversation: a message carries it in one record. */
const WAITING_BYTES = 22 * 1024
/** Attachments that were taken back and can be put back. */
const TAKEN_BACK = 24
/** Attachments whose changes are listened for at a time. */
const WATCHED = 100

interface AttachmentsParts extends Pick<HostCore, 'storage' | 'clock'> {
  readonly offerings: Offerings
  readonly conversations: Conversations
}

interface Watched {
  readonly conversationId: ConversationId
  readonly attachmentId: AttachmentId
  readonly serverId: ServerId
  readonly uri: string
  marked: boolean
}

export interface Attached<A extends Attachment> {
  readonly is: 'attached'
  readonly attachment: A
}

/** Attachments of people: read once, kept as they were; resources are marked when the server says that they changed (RES-10). */
export class Attachments {
  readonly #parts: AttachmentsParts
  readonly #watched = new Map<string, Watched>()
  /** Taken back, by conversation and attachment; oldest first, in memory only. */
  readonly #takenBack = new Map<string, Attachment>()

  constructor(parts: AttachmentsParts) {
    this.#parts = parts
    parts.conversations.onOpened.on(({ conversation, topic }) => this.#opened(conversation.id, topic))
    parts.conversations.onRemoved.on((id) => this.#forget(id))
    parts.offerings.watches.onUpdated.on(({ serverId, uri, at }) => {
      for (const watched of this.#watched.values()) {
        if (watched.serverId !== serverId || watched.uri !== uri || watched.marked) continue
        watched.marked = true
        // Where it cannot be written, the next update tries again.
        this.#mark(watched, at).catch(() => {
          watched.marked = false
        })
      }
    })
  }

  async attach(
    conversation: Conversation,
    serverId: ServerId,
    uri: string,
    signal: AbortSignal,
    confirmed = false,
  ): Promise<Attached<ResourceAttachment> | Confirm> {
    const ask = confirmed ? undefined : this.#parts.offerings.resources.askToRead(serverId, uri)
    if (ask) return ask
    this.askForRoom(conversation)
    const read = await this.#read(conversation, serverId, uri, signal, confirmed)
    return 'is' in read ? read : this.#keepResource(conversation, read)
  }

  /** Throws HostError when so much waits that a file of so many bytes cannot go along. */
  askForRoom({ attachments }: Conversation, bytes = 0): void {
    checkRoom(attachments, { items: 1, bytes })
  }

  /** A file of the person, read already. */
  async add(conversation: Conversation, file: FileAttachment): Promise<Attached<FileAttachment>> {
    await keep(conversation, (waiting) => [...waiting, file])
    return { is: 'attached', attachment: file }
  }

  async refresh(
    conversation: Conversation,
    attachmentId: AttachmentId,
    signal: AbortSignal,
    confirmed = false,
  ): Promise<Attached<ResourceAttachment> | Confirm> {
    const old = await this.#find(conversation, attachmentId)
    const read = await this.#read(conversation, old.serverId, old.uri, signal, confirmed)
    if ('is' in read) return read
    return this.#keepResource(conversation, { ...read, before: { items: old.items, attachedAt: old.attachedAt } }, attachmentId)
  }

  async detach(conversation: Conversation, attachmentId: AttachmentId): Promise<void> {
    await conversation.exclusively(async (write) => {
      const { id, attachments } = conversation
      const taken = attachments.find((one) => one.id === attachmentId)
      if (!taken) return
      await write({ events: [{ type: 'attachments.changed', attachments: attachments.filter((one) => one !== taken) }] })
      this.#unwatch(id, attachmentId)
      dropOldest(this.#takenBack.set(`${id}/${attachmentId}`, taken), TAKEN_BACK)
    })
  }

  /** As it was when it was attached: nothing is read. */
  async reattach(conversation: Conversation, attachmentId: AttachmentId): Promise<void> {
    const key = `${conversation.id}/${attachmentId}`
    const taken = this.#takenBack.get(key)
    if (!taken) throw new HostError('not-found', 'This attachment is gone. Attach it again.')
    this.#takenBack.delete(key)
    try {
      if (isFile(taken)) await this.add(conversation, taken)
      else await this.#keepResource(conversation, taken)
    } catch (error) {
      this.#takenBack.set(key, taken)
      throw error
    }
  }

  /** Changes of attached resources are followed from now on, also after a restart. */
  #opened(id: ConversationId, topic: ConversationTopic): void {
    for (const attachment of [...topic.messages.flatMap(attachmentsOf), ...(topic.attachments ?? [])]) {
      if (!isFile(attachment) && attachment.subscribed && attachment.changedSince === undefined) void this.#watch(id, attachment)
    }
  }

  #forget(id: ConversationId): void {
    for (const watched of [...this.#watched.values()]) {
      if (watched.conversationId === id) this.#unwatch(id, watched.attachmentId)
    }
  }

  async #read(
    conversation: Conversation,
    serverId: ServerId,
    uri: string,
    signal: AbortSignal,
    confirmed: boolean,
  ): Promise<ResourceAttachment | Confirm> {
    const { offerings, storage, clock } = this.#parts
    const {
      items: all,
      bytes,
      readAt: _readAt,
      mimeType,
      ...read
    } = await offerings.resources.fetch(serverId, uri, signal, storage.blobs, INLINE)
    const items = all.slice(0, ITEMS)
    const tokens = await offerings.resources.tokens({ ...read, items }, conversation.head.model)
    const why = confirmed ? undefined : askToAttach({ ...read, bytes, tokens })
    if (why) return { is: 'confirm', why, bytes, tokens }
    const left = all.length - ITEMS
    const warnings = left > 0 ? [...read.warnings, `${left} more contents were left out.`] : read.warnings
    return {
      ...read,
      id: randomUUID() as AttachmentId,
      size: bytes,
      tokens,
      ...(mimeType !== undefined && { mimeType }),
      items,
      attachedAt: clock.now(),
      subscribed: false,
      warnings,
    }
  }

  /** Watched before it is kept: no server is waited for while nothing else can change the conversation. In place of `old`, where that waits. */
  async #keepResource(
    conversation: Conversation,
    attachment: ResourceAttachment,
    old?: AttachmentId,
  ): Promise<Attached<ResourceAttachment>> {
    const { id } = conversation
    let replaces = false
    const kept: ResourceAttachment = { ...attachment, subscribed: await this.#watch(id, attachment) }
    try {
      await keep(conversation, (waiting) => {
        replaces = waiting.some((one) => one.id === old)
        return replaces ? waiting.map((one) => (one.id === old ? kept : one)) : [...waiting, kept]
      })
    } catch (error) {
      this.#unwatch(id, kept.id)
      throw error
    }
    if (old !== undefined && replaces) this.#unwatch(id, old)
    return { is: 'attached', attachment: kept }
  }

  /** True when the server will tell. */
  async #watch(conversationId: ConversationId, { id: attachmentId, serverId, uri }: ResourceAttachment): Promise<boolean> {
    const key = `${conversationId}/${attachmentId}`
    if (this.#watched.has(key)) return true
    this.#watched.set(key, { conversationId, attachmentId, serverId, uri, marked: false })
    if (this.#watched.size > WATCHED) {
      const [oldest] = this.#watched.values()
      if (oldest) this.#unwatch(oldest.conversationId, oldest.attachmentId)
    }
    return this.#parts.offerings.watches.add(serverId, uri)
  }

  #unwatch(conversationId: ConversationId, attachmentId: AttachmentId): void {
    const key = `${conversationId}/${attachmentId}`
    const watched = this.#watched.get(key)
    if (!watched) return
    this.#watched.delete(key)
    this.#parts.offerings.watches.remove(watched.serverId, watched.uri)
  }

  /** Only the mark changes: what a model reads stays as the person attached it (SEC-05). */
  #mark({ conversationId, attachmentId }: Watched, changedSince: number): Promise<void> {
    return this.#parts.conversations.open(conversationId, (conversation) =>
      conversation.exclusively(async (write) => {
        const waiting = conversation.attachments
        if (waiting.some((one) => one.id === attachmentId)) {
          const attachments = waiting.map((one) => (one.id === attachmentId ? { ...one, changedSince } : one))
          return write({ events: [{ type: 'attachments.changed', attachments }] })
        }
        const message = await messageWith(conversation, attachmentId)
        if (!message) return this.#unwatch(conversationId, attachmentId)
        const parts = message.parts.map((part) =>
          part.type === 'resource' && part.id === attachmentId ? { ...part, changedSince } : part,
        )
        return write({ events: [{ type: 'message.changed', message: { ...message, parts } }] })
      }),
    )
  }

  async #find(conversation: Conversation, attachmentId: AttachmentId): Promise<ResourceAttachment> {
    const waiting = conversation.attachments.find((one) => one.id === attachmentId)
    const sent = waiting ? undefined : await messageWith(conversation, attachmentId)
    const found = waiting ?? (sent && attachmentsOf(sent).find((one) => one.id === attachmentId))
    if (!found || isFile(found)) throw new HostError('not-found', 'This resource is no longer attached here.')
    return found
  }
}

async function messageWith(conversation: Conversation, attachmentId: AttachmentId): Promise<Message | undefined> {
  const { messages } = await conversation.transcript()
  return messages.find(({ message }) => attachmentsOf(message).some((one) => one.id === attachmentId))?.message
}

function keep(conversation: Conversation, to: (waiting: readonly Attachment[]) => readonly Attachment[]): Promise<void> {
  return conversation.exclusively((write) => {
    const attachments = to(conversation.attachments)
    checkRoom(attachments)
    if (byteLength(JSON.stringify(attachments)) > WAITING_BYTES) throw full('The attachments have too many parts.')
    return write({ events: [{ type: 'attachments.changed', attachments }] })
  })
}

/** Throws HostError when `waiting` together with `more` is too much for one message. */
function checkRoom(waiting: readonly Attachment[], more = { items: 0, bytes: 0 }): void {
  if (waiting.length + more.items > ATTACHMENT_LIMIT) throw full(`At most ${ATTACHMENT_LIMIT} attachments go with one message.`)
  const bytes = waiting.filter(isFile).reduce((sum, { size }) => sum + size, more.bytes)
  if (bytes > FILES_LIMIT) throw full(`At most ${FILES_LIMIT / (1024 * 1024)} MB of files go with one message.`)
}

function full(why: string): HostError {
  return new HostError('refused', `${why} Send these, or remove one, before you attach another.`)
}
