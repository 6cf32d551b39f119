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
import type { ConversationHead, Message } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { AttachmentId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { ResultOf } from '../../../src-shared/contract/requests.ts'
import type { ConversationEvent, ConversationTopic } from '../../../src-shared/contract/topics.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Offerings } from '../offerings/offerings.ts'
import type { ResourceUpdate } from '../offerings/resource-watches.ts'
import { askToAttach } from '../offerings/resources.ts'
import type { Transcript } from './model-history.ts'
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
}

/** The conversation as its attachments see it. */
interface AttachedTo {
  readonly head: ConversationHead
  readonly waiting: readonly Attachment[]
  transcript(): Promise<Transcript>
  exclusively<T>(run: (write: (change: { events: readonly ConversationEvent[] }) => Promise<void>) => Promise<T>): Promise<T>
}

interface Watched {
  readonly attachmentId: AttachmentId
  readonly serverId: ServerId
  readonly uri: string
  marked: boolean
}

/** Attachments of a conversation: read once, kept as they were; resources are marked when the server says that they changed (RES-10). */
export class Attachments {
  readonly #conversation: AttachedTo
  readonly #parts: AttachmentsParts
  readonly #watched = new Map<AttachmentId, Watched>()
  #unlisten: (() => void) | undefined
  /** Taken back, oldest first; in memory only. */
  readonly #takenBack = new Map<AttachmentId, Attachment>()

  constructor(conversation: AttachedTo, parts: AttachmentsParts) {
    this.#conversation = conversation
    this.#parts = parts
  }

  /** Servers are listened to for changes of some. */
  get followed(): boolean {
    return this.#watched.size > 0
  }

  async attach(
    serverId: ServerId,
    uri: string,
    signal: AbortSignal,
    confirmed = false,
  ): Promise<ResultOf<'conversation.attachResource'>> {
    const ask = confirmed ? undefined : this.#parts.offerings.resources.askToRead(serverId, uri)
    if (ask) return ask
    this.askForRoom()
    const read = await this.#read(serverId, uri, signal, confirmed)
    return 'is' in read ? read : this.#keepResource(read)
  }

  /** Throws HostError when so much waits that a file of so many bytes cannot go along. */
  askForRoom(bytes = 0): void {
    checkRoom(this.#conversation.waiting, { items: 1, bytes })
  }

  /** A file of the person, read already. */
  async add(file: FileAttachment): Promise<ResultOf<'conversation.attachNamedFile'>> {
    await this.#keep((waiting) => [...waiting, file])
    return { is: 'attached', attachment: file }
  }

  async refresh(
    attachmentId: AttachmentId,
    signal: AbortSignal,
    confirmed = false,
  ): Promise<ResultOf<'conversation.attachResource'>> {
    const old = await this.#find(attachmentId)
    const read = await this.#read(old.serverId, old.uri, signal, confirmed)
    if ('is' in read) return read
    return this.#keepResource({ ...read, before: { items: old.items, attachedAt: old.attachedAt } }, attachmentId)
  }

  async detach(attachmentId: AttachmentId): Promise<void> {
    await this.#conversation.exclusively(async (write) => {
      const { waiting } = this.#conversation
      const taken = waiting.find((one) => one.id === attachmentId)
      if (!taken) return
      await write({ events: [{ type: 'attachments.changed', attachments: waiting.filter((one) => one !== taken) }] })
      this.#unwatch(attachmentId)
      dropOldest(this.#takenBack.set(attachmentId, taken), TAKEN_BACK)
    })
  }

  /** As it was when it was attached: nothing is read. */
  async reattach(attachmentId: AttachmentId): Promise<void> {
    const taken = this.#takenBack.get(attachmentId)
    if (!taken) throw new HostError('not-found', 'This attachment is gone. Attach it again.')
    this.#takenBack.delete(attachmentId)
    try {
      if (isFile(taken)) await this.add(taken)
      else await this.#keepResource(taken)
    } catch (error) {
      this.#takenBack.set(attachmentId, taken)
      throw error
    }
  }

  /** Changes of attached resources are followed from now on, also after a restart. */
  follow(topic: ConversationTopic): void {
    for (const attachment of [...topic.messages.flatMap(attachmentsOf), ...(topic.attachments ?? [])]) {
      if (!isFile(attachment) && attachment.subscribed && attachment.changedSince === undefined) void this.#watch(attachment)
    }
  }

  /** Changes are followed no longer. */
  letGo(): void {
    for (const id of [...this.#watched.keys()]) this.#unwatch(id)
  }

  async #read(serverId: ServerId, uri: string, signal: AbortSignal, confirmed: boolean): Promise<ResourceAttachment | Confirm> {
    const { offerings, storage, clock } = this.#parts
    const {
      items: all,
      bytes,
      readAt: _readAt,
      mimeType,
      ...read
    } = await offerings.resources.fetch(serverId, uri, signal, storage.blobs, INLINE)
    const items = all.slice(0, ITEMS)
    const tokens = await offerings.resources.tokens({ ...read, items }, this.#conversation.head.model)
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
    attachment: ResourceAttachment,
    old?: AttachmentId,
  ): Promise<{ is: 'attached'; attachment: ResourceAttachment }> {
    let replaces = false
    const kept: ResourceAttachment = { ...attachment, subscribed: await this.#watch(attachment) }
    try {
      await this.#keep((waiting) => {
        replaces = waiting.some((one) => one.id === old)
        return replaces ? waiting.map((one) => (one.id === old ? kept : one)) : [...waiting, kept]
      })
    } catch (error) {
      this.#unwatch(kept.id)
      throw error
    }
    if (old !== undefined && replaces) this.#unwatch(old)
    return { is: 'attached', attachment: kept }
  }

  /** True when the server will tell. */
  async #watch({ id: attachmentId, serverId, uri }: ResourceAttachment): Promise<boolean> {
    if (this.#watched.has(attachmentId)) return true
    this.#watched.set(attachmentId, { attachmentId, serverId, uri, marked: false })
    const { watches } = this.#parts.offerings
    this.#unlisten ??= watches.onUpdated.on((updated) => this.#updated(updated))
    if (this.#watched.size > WATCHED) {
      const [oldest] = this.#watched.keys()
      if (oldest) this.#unwatch(oldest)
    }
    return watches.add(serverId, uri)
  }

  #unwatch(attachmentId: AttachmentId): void {
    const watched = this.#watched.get(attachmentId)
    if (!watched) return
    this.#watched.delete(attachmentId)
    this.#parts.offerings.watches.remove(watched.serverId, watched.uri)
    if (this.#watched.size > 0) return
    this.#unlisten?.()
    this.#unlisten = undefined
  }

  #updated({ serverId, uri, at }: ResourceUpdate): void {
    for (const watched of this.#watched.values()) {
      if (watched.serverId !== serverId || watched.uri !== uri || watched.marked) continue
      watched.marked = true
      // Where it cannot be written, the next update tries again.
      this.#mark(watched.attachmentId, at).catch(() => {
        watched.marked = false
      })
    }
  }

  /** Only the mark changes: what a model reads stays as the person attached it (SEC-05). */
  #mark(attachmentId: AttachmentId, changedSince: number): Promise<void> {
    return this.#conversation.exclusively(async (write) => {
      const { waiting } = this.#conversation
      if (waiting.some((one) => one.id === attachmentId)) {
        const attachments = waiting.map((one) => (one.id === attachmentId ? { ...one, changedSince } : one))
        return write({ events: [{ type: 'attachments.changed', attachments }] })
      }
      const message = await this.#messageWith(attachmentId)
      if (!message) return this.#unwatch(attachmentId)
      const parts = message.parts.map((part) =>
        part.type === 'resource' && part.id === attachmentId ? { ...part, changedSince } : part,
      )
      return write({ events: [{ type: 'message.changed', message: { ...message, parts } }] })
    })
  }

  async #find(attachmentId: AttachmentId): Promise<ResourceAttachment> {
    const waiting = this.#conversation.waiting.find((one) => one.id === attachmentId)
    const sent = waiting ? undefined : await this.#messageWith(attachmentId)
    const found = waiting ?? (sent && attachmentsOf(sent).find((one) => one.id === attachmentId))
    if (!found || isFile(found)) throw new HostError('not-found', 'This resource is no longer attached here.')
    return found
  }

  async #messageWith(attachmentId: AttachmentId): Promise<Message | undefined> {
    const { messages } = await this.#conversation.transcript()
    return messages.find(({ message }) => attachmentsOf(message).some((one) => one.id === attachmentId))?.message
  }

  #keep(to: (waiting: readonly Attachment[]) => readonly Attachment[]): Promise<void> {
    return this.#conversation.exclusively((write) => {
      const attachments = to(this.#conversation.waiting)
      checkRoom(attachments)
      if (Buffer.byteLength(JSON.stringify(attachments)) > WAITING_BYTES) throw full('The attachments have too many parts.')
      return write({ events: [{ type: 'attachments.changed', attachments }] })
    })
  }
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
