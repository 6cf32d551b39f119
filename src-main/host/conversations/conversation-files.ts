import { randomUUID } from 'node:crypto'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import { type ConversationHead, TITLE_LENGTH } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ParamsOf, ResultOf } from '../../../src-shared/contract/requests.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'
import type { MessageStore, UnplacedHead } from '../../storage/base/storage.ts'
import {
  blobsOf,
  EXPORT_FORMAT,
  EXPORTS_FORMAT,
  ExportError,
  type ExportedConversation,
  type ExportedConversations,
  type ReadExport,
  readExports,
} from '../../storage/exported-conversation.ts'
import { cut } from '../core/content-views.ts'
import { ExpiringHolds } from '../core/expiring-holds.ts'
import type { HostCore } from '../core/host-core.ts'
import { conversationMarkdown } from './conversation-markdown.ts'
import type { Conversations } from './conversations.ts'
import { Uploads } from './uploads.ts'

/** Bytes of attachments and results in an exported file. */
const CONTENT_LIMIT = 32 * 1024 * 1024
/** Characters of an imported file. */
const IMPORT_LIMIT = 48 * 1024 * 1024

interface FilesParts extends Pick<HostCore, 'storage' | 'platform' | 'state' | 'clock' | 'lifetime'> {
  readonly conversations: Conversations
}

type Imported = ResultOf<'conversation.import'>

/** Exports conversations as Markdown to read or as JSON to import again. */
export class ConversationFiles {
  readonly #parts: FilesParts
  /** Files while they are downloaded. */
  readonly #held: ExpiringHolds
  readonly #uploads: Uploads

  constructor(parts: FilesParts) {
    this.#parts = parts
    this.#held = new ExpiringHolds(parts)
    this.#uploads = new Uploads({ ...parts, limit: IMPORT_LIMIT, tooLong: 'The file is larger than 48 MB.' })
  }

  async export(
    ids: readonly ConversationId[],
    format: ParamsOf<'conversation.export'>['format'],
  ): Promise<ResultOf<'conversation.export'>> {
    const { conversations, storage, platform } = this.#parts
    const room = { left: CONTENT_LIMIT, leftOut: 0 }
    const pieces: string[] = []
    let title = `${ids.length} conversations`
    for (const id of ids) {
      const head = await conversations.open(id, async (conversation) => {
        await conversation.journal.flush()
        return conversation.head
      })
      if (ids.length === 1) title = head.title || 'conversation'
      pieces.push(
        format === 'markdown'
          ? await this.#markdown(head)
          : JSON.stringify(await this.#exported(head, await storage.messages.tree(id), room), undefined, 1),
      )
    }
    const text = format === 'markdown' ? pieces.join('\n\n---\n\n') : severalIn(pieces)
    if (format === 'json' && text.length > IMPORT_LIMIT)
      throw new HostError('refused', 'This is more than 48 MB, which could not be imported again. Export fewer at a time.')
    const { leftOut } = room
    const hold = storage.blobs.hold()
    const file = await hold.put(text, format === 'markdown' ? 'text/markdown' : 'application/json')
    this.#held.add(hold)
    const name = `${fileName(title)}.${format === 'markdown' ? 'md' : 'parley'}`
    return { url: platform.blobLink(file.blob, 'application/octet-stream', name), name, bytes: file.bytes, leftOut }
  }

  async import(given: ParamsOf<'conversation.import'>): Promise<Imported> {
    const taken = this.#uploads.take(given)
    if (taken.is === 'more') return taken
    try {
      return await this.#keepAll(readExports(taken.text))
    } catch (error) {
      throw error instanceof ExportError ? new HostError('invalid-params', error.message) : error
    }
  }

  /** The versions that are shown. */
  async #markdown(head: ConversationHead): Promise<string> {
    const { messages: stored, blobs } = this.#parts.storage
    const { messages, toolCalls } = await stored.transcript(head.id)
    const shown = messages.map(({ message }) => message)
    return conversationMarkdown(head, shown, toolCalls, blobs)
  }

  /** Every version. Includes referenced content while there is `room`. */
  async #exported(
    { title, createdAt, updatedAt, model, tags }: ConversationHead,
    stored: Awaited<ReturnType<MessageStore['tree']>>,
    room: { left: number; leftOut: number },
  ): Promise<ExportedConversation> {
    const { toolCalls } = stored
    const messages = stored.messages.map(({ message }) => message)
    const tree = stored.messages.map(({ message: _message, ...place }) => place)
    const hasVersions = tree.some(({ hidden }) => hidden > 0)
    const blobs: Record<string, { mimeType: string; base64: string }> = {}
    for (const { blob, bytes, mimeType } of blobsOf({ messages, toolCalls })) {
      if (bytes > room.left) room.leftOut += 1
      else {
        room.left -= bytes
        const content = await this.#parts.storage.blobs.read(blob)
        blobs[blob] = { mimeType, base64: Buffer.from(content).toString('base64') }
      }
    }
    return {
      format: EXPORT_FORMAT,
      version: hasVersions ? 2 : 1,
      title,
      createdAt,
      updatedAt,
      model,
      ...(tags && { tags }),
      messages,
      ...(hasVersions && { tree }),
      toolCalls,
      blobs,
    }
  }

  async #keepAll(read: readonly ReadExport[]): Promise<Imported> {
    const ids: ConversationId[] = []
    for (const one of read) ids.push(await this.#keep(one))
    const messages = read.reduce((sum, { file }) => sum + file.messages.length, 0)
    return { is: 'imported', ids, messages, warnings: read.flatMap(({ warnings }) => warnings) }
  }

  /** Creates a conversation from a file; nothing in it runs, and it brings no permissions. */
  async #keep({ file }: ReadExport): Promise<ConversationId> {
    const { storage, state, clock } = this.#parts
    for (const [blob, { mimeType, base64 }] of Object.entries(file.blobs)) {
      const kept: BlobRef = await storage.blobs.put(Buffer.from(base64, 'base64'), mimeType)
      if (kept.blob !== blob)
        throw new HostError('invalid-params', 'The file is damaged: some of its content does not match its name.')
    }
    const now = clock.now()
    const unplaced: UnplacedHead = {
      id: randomUUID() as ConversationId,
      title: cut(file.title, TITLE_LENGTH),
      createdAt: file.createdAt,
      updatedAt: now,
      model: state.snapshot.settings.defaultModel,
      turn: 'idle',
      ...(file.tags && { tags: file.tags }),
    }
    const events: ConversationEvent[] = [
      ...file.messages.map((message) => ({ type: 'message.added' as const, message })),
      ...file.toolCalls.map((toolCall) => ({ type: 'toolCall.changed' as const, toolCall })),
    ]
    const { tree } = file
    const head = await storage.conversations.change({ id: unplaced.id, head: unplaced, events, ...(tree && { tree }) })
    if (head) state.emit({ type: 'conversation.added', head })
    return unplaced.id
  }
}

function severalIn(pieces: readonly string[]): string {
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined) return only
  const { format, version }: Omit<ExportedConversations, 'conversations'> = { format: EXPORTS_FORMAT, version: 1 }
  return `{\n "format": "${format}",\n "version": ${version},\n "conversations": [\n${pieces.join(',\n')}\n ]\n}\n`
}

/** A name that is valid on every system. */
export function fileName(title: string): string {
  const plain = title.replace(/[^\p{L}\p{N} ._-]+/gu, ' ').replace(/\s+/g, ' ')
  return cut(plain.replace(/^[ .]+|(?<![ .])[ .]+$/g, '') || 'file', 80).replace('…', '')
}
