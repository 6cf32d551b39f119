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
import type { Transcript } from '../../storage/base/storage.ts'
import { boundText, InlineBudget } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Offerings } from '../offerings/offerings.ts'
import type { ResourceUpdate } from '../offerings/resource-watches.ts'
import { askToAttach } from '../offerings/resources.ts'
import { attachmentsOf } from './person-message.ts'

/** Inline bytes of an attachment's text. */
const INLINE = 1024
/** Items that an attachment keeps of a read. */
const ITEMS = 16
/** Bytes of all waiting attachments, which one message has to hold in its record. */
const WAITING_BYTES = 22 * 1024
/** Removed attachments that can be restored. */
const MAX_DETACHED = 24
/** Attachments that are watched for changes. */
const WATCHED = 100

interface AttachmentsParts extends Pick<HostCore, 'storage' | 'clock'> {
  readonly offerings: Offerings
}

/** Part of a conversation that its attachments need. */
interface AttachedTo {
  readonly head: ConversationHead
  readonly waiting: readonly Attachment[]
  readonly queued: readonly Message[]
  transcript(): Promise<Transcript>
  exclusively<T>(run: (write: (change: { events: readonly ConversationEvent[] }) => Promise<void>) => Promise<T>): Promise<T>
}

/** Texts of a view for the model. */
interface ToldByApp extends Pick<ResourceAttachment, 'serverId' | 'serverName' | 'uri' | 'title'> {
  readonly texts: readonly { readonly text: string; readonly mimeType?: string }[]
}

interface Watched {
  readonly attachmentId: AttachmentId
  readonly serverId: ServerId
  readonly uri: string
  marked: boolean
}

/** A conversation's attachments. They are read once and kept; a resource is marked when the server says that it changed (RES-10). */
export class Attachments {
  readonly #conversation: AttachedTo
  readonly #parts: AttachmentsParts
  readonly #watched = new Map<AttachmentId, Watched>()
  #unlisten: (() => void) | undefined
  /** Removed attachments, the oldest first, in memory only. */
  readonly #detached = new Map<AttachmentId, Attachment>()

  constructor(conversation: AttachedTo, parts: AttachmentsParts) {
    this.#conversation = conversation
    this.#parts = parts
  }

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

  /** Throws HostError `refused` when a file of so many bytes would be too much for one message. */
  askForRoom(bytes = 0): void {
    checkRoom(this.#conversation.waiting, { items: 1, bytes })
  }

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

  /**
   * Keeps what a view tells the model for the next message, in place of what it told before (APP-22). Without texts it only takes that
   * away. Throws HostError `refused` once the person removed it.
   */
  async tell({ texts, ...told }: ToldByApp, before: AttachmentId | undefined): Promise<AttachmentId | undefined> {
    const { offerings, storage, clock } = this.#parts
    if (before !== undefined && this.#detached.has(before))
      throw new HostError('refused', 'The person removed what this view told.')
    const budget = new InlineBudget(INLINE)
    const items = await Promise.all(
      texts.map(async ({ text, mimeType }) => ({
        uri: told.uri,
        ...(mimeType !== undefined && { mimeType }),
        content: await boundText(text, storage.blobs, budget),
      })),
    )
    const kept: ResourceAttachment = {
      ...told,
      id: randomUUID() as AttachmentId,
      items,
      attachedAt: clock.now(),
      subscribed: false,
      byApp: true,
      warnings: [],
      size: texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
      tokens: await offerings.resources.tokens({ ...told, items }, this.#conversation.head.model),
    }
    await this.#keep((waiting) => [...waiting.filter(({ id }) => id !== before), ...(texts.length > 0 ? [kept] : [])])
    return texts.length > 0 ? kept.id : undefined
  }

  async detach(attachmentId: AttachmentId): Promise<void> {
    await this.#conversation.exclusively(async (write) => {
      const { waiting } = this.#conversation
      const taken = waiting.find((one) => one.id === attachmentId)
      if (!taken) return
      await write({ events: [{ type: 'attachments.changed', attachments: waiting.filter((one) => one !== taken) }] })
      this.#unwatch(attachmentId)
      dropOldest(this.#detached.set(attachmentId, taken), MAX_DETACHED)
    })
  }

  /** Restores a removed attachment without reading it again. */
  async reattach(attachmentId: AttachmentId): Promise<void> {
    const taken = this.#detached.get(attachmentId)
    if (!taken) throw new HostError('not-found', 'This attachment is gone. Attach it again.')
    this.#detached.delete(attachmentId)
    try {
      if (isFile(taken) || taken.byApp) await this.#keep((waiting) => [...waiting, taken])
      else await this.#keepResource(taken)
    } catch (error) {
      this.#detached.set(attachmentId, taken)
      throw error
    }
  }

  /** Watches the attached resources for changes, also after a restart. */
  follow(topic: ConversationTopic): void {
    const messages = [...topic.messages, ...(topic.queue ?? [])]
    for (const attachment of [...messages.flatMap(attachmentsOf), ...(topic.attachments ?? [])]) {
      if (!isFile(attachment) && attachment.subscribed && attachment.changedSince === undefined) void this.#watch(attachment)
    }
  }

  unfollow(): void {
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

  /** Adds a resource, in place of `old` if that is waiting. The server is asked first, so that it does not block the conversation's queue. */
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

  /** True when the server will send updates. */
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
      // If this cannot be saved, the next update tries again.
      this.#mark(watched.attachmentId, at).catch(() => {
        watched.marked = false
      })
    }
  }

  /** Marks the attachment as changed; its content stays as the person attached it (SEC-05). */
  #mark(attachmentId: AttachmentId, changedSince: number): Promise<void> {
    return this.#conversation.exclusively(async (write) => {
      const { waiting } = this.#conversation
      if (waiting.some((one) => one.id === attachmentId)) {
        const attachments = waiting.map((one) => (one.id === attachmentId ? { ...one, changedSince } : one))
        return write({ events: [{ type: 'attachments.changed', attachments }] })
      }
      const marked = (message: Message): Message => ({
        ...message,
        parts: message.parts.map((part) =>
          part.type === 'resource' && part.id === attachmentId ? { ...part, changedSince } : part,
        ),
      })
      const { queued } = this.#conversation
      if (queued.flatMap(attachmentsOf).some((one) => one.id === attachmentId))
        return write({ events: [{ type: 'queue.changed', queue: queued.map(marked) }] })
      const message = await this.#messageWith(attachmentId)
      if (!message) return this.#unwatch(attachmentId)
      return write({ events: [{ type: 'message.changed', message: marked(message) }] })
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

/** Throws HostError `refused` when `waiting` together with `more` is too much for one message. */
export function checkRoom(waiting: readonly Attachment[], more = { items: 0, bytes: 0 }): void {
  if (waiting.length + more.items > ATTACHMENT_LIMIT) throw full(`At most ${ATTACHMENT_LIMIT} attachments go with one message.`)
  const bytes = waiting.filter(isFile).reduce((sum, { size }) => sum + size, more.bytes)
  if (bytes > FILES_LIMIT) throw full(`At most ${FILES_LIMIT / (1024 * 1024)} MB of files go with one message.`)
}

function full(why: string): HostError {
  return new HostError('refused', `${why} Send these, or remove one, before you attach another.`)
}
