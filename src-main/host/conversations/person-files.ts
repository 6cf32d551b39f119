import { createHash, randomUUID } from 'node:crypto'
import { FILE_LIMIT, type FileAttachment, type ResourceItem } from '../../../src-shared/contract/attachments.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { AttachmentId, ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ParamsOf, ResultOf } from '../../../src-shared/contract/requests.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import type { Documents, ReadPdf } from '../../documents/documents.ts'
import type { ImageLimits } from '../../images/image-limits.ts'
import type { FittedImage } from '../../images/images.ts'
import { boundText, cut, InlineBudget } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { attachmentTokens, measuringReader } from '../models/attachment-tokens.ts'
import { fileKind } from '../models/file-kind.ts'
import { imageLimits } from '../models/model-families.ts'
import type { ModelTraits, Providers } from '../models/providers.ts'
import { documentsWithin } from '../models/sent-documents.ts'
import type { PlaceFiles } from '../projects/place-files.ts'
import type { Projects } from '../projects/projects.ts'
import type { Conversation } from './conversation.ts'
import { conversationMarkdown } from './conversation-markdown.ts'
import { type UploadPiece, Uploads } from './uploads.ts'

/** Inline bytes of a file's text. */
const INLINE = 512
const NAME_LENGTH = 120
const TOO_LARGE = `The file is larger than ${FILE_LIMIT / (1024 * 1024)} MB. Attach a part of it.`

interface PersonFilesParts extends HostCore {
  readonly documents: Documents
  readonly providers: Providers
  readonly placeFiles: PlaceFiles
  readonly projects: Pick<Projects, 'askForRoom' | 'read' | 'addFile'>
}

/** A file without its name, time and tokens. */
type Read = Pick<FileAttachment, 'file' | 'mimeType' | 'items' | 'warnings' | 'pages'>

/** Attaches the person's files. Their kind is read from the content, which is checked like a stranger's. */
export class PersonFiles {
  readonly #parts: PersonFilesParts
  readonly #uploads: Uploads

  constructor(parts: PersonFilesParts) {
    this.#parts = parts
    const limit = Math.ceil(FILE_LIMIT / 3) * 4
    this.#uploads = new Uploads({ ...parts, limit, tooLong: TOO_LARGE })
  }

  async attach(
    conversation: Conversation,
    { name, ...given }: Omit<ParamsOf<'conversation.attachFile'>, 'id'>,
  ): Promise<ResultOf<'conversation.attachFile'>> {
    if (given.upload === undefined) conversation.attachments.askForRoom()
    const taken = this.#take(given)
    return taken.is === 'more' ? taken : this.#add(conversation, name, taken.bytes)
  }

  async attachToProject({ id, name, ...given }: ParamsOf<'project.attachFile'>): Promise<ResultOf<'project.attachFile'>> {
    const { projects, state } = this.#parts
    projects.askForRoom(id)
    const taken = this.#take(given)
    if (taken.is === 'more') return taken
    projects.askForRoom(id, taken.bytes.length)
    const attachment = await this.#file(name, taken.bytes, projects.read(id).model ?? state.snapshot.settings.defaultModel)
    await projects.addFile(id, attachment)
    return { is: 'attached', attachment }
  }

  /** Attaches a file in a folder of the conversation's place. */
  async attachNamed(conversation: Conversation, path: string): Promise<ResultOf<'conversation.attachNamedFile'>> {
    conversation.attachments.askForRoom()
    const limit = { bytes: FILE_LIMIT, tooLarge: TOO_LARGE }
    return this.#add(conversation, path, await this.#parts.placeFiles.read(conversation.place, path, limit))
  }

  /** Attaches what was said in another conversation. All of it counts as a stranger's, since servers' words are among it. */
  async attachConversation(
    conversation: Conversation,
    other: ConversationId,
  ): Promise<ResultOf<'conversation.attachConversation'>> {
    conversation.attachments.askForRoom()
    const { conversations, messages: stored, blobs } = this.#parts.storage
    const head = await conversations.head(other)
    if (!head || other === conversation.id) throw new HostError('not-found', 'This conversation cannot be attached here.')
    const { messages, toolCalls } = await stored.transcript(other)
    const said = messages.map(({ message }) => message)
    return this.attachText(
      conversation,
      `Conversation - ${head.title}`,
      await conversationMarkdown(head, said, toolCalls, blobs, 'said'),
    )
  }

  /** Attaches a text that counts as a stranger's. */
  async attachText(conversation: Conversation, title: string, text: string): Promise<ResultOf<'conversation.attachNamedFile'>> {
    return this.attachBytes(conversation, title, Buffer.from(text))
  }

  /** Attaches a text, an image or a PDF from elsewhere, with what the person should know about where it came from. */
  async attachBytes(
    conversation: Conversation,
    title: string,
    bytes: Buffer,
    warnings: readonly string[] = [],
  ): Promise<ResultOf<'conversation.attachNamedFile'>> {
    if (bytes.length > FILE_LIMIT) throw new HostError('refused', 'This text is too long to attach.')
    return this.#add(conversation, title.replaceAll(/[/\\]/g, ' '), bytes, warnings)
  }

  async #add(
    conversation: Conversation,
    name: string,
    bytes: Buffer,
    warnings: readonly string[] = [],
  ): Promise<ResultOf<'conversation.attachNamedFile'>> {
    conversation.attachments.askForRoom(bytes.length)
    const file = await this.#file(name, bytes, conversation.head.model)
    return conversation.attachments.add({ ...file, warnings: [...warnings, ...file.warnings] })
  }

  #take(piece: UploadPiece) {
    const taken = this.#uploads.take(piece)
    if (taken.is === 'more') return taken
    const bytes = Buffer.from(taken.text, 'base64')
    if (bytes.length > FILE_LIMIT) throw new HostError('invalid-params', TOO_LARGE)
    return { is: 'whole' as const, bytes }
  }

  async #file(name: string, bytes: Buffer, model: ModelRef): Promise<FileAttachment> {
    const { providers, clock, storage } = this.#parts
    const title = fileTitle(name)
    const traits = providers.traitsOf(model)
    const read = await this.#read(title, bytes, traits, model.model)
    const file = { id: randomUUID() as AttachmentId, title, size: bytes.length, attachedAt: clock.now(), ...read }
    const documents = traits.documents ? documentsWithin([], [file]) : undefined
    const reader = measuringReader(storage.blobs, model, traits, documents)
    return { ...file, tokens: await attachmentTokens(file, reader, traits) }
  }

  async #read(title: string, bytes: Buffer, { kind: provider }: ModelTraits, model: string): Promise<Read> {
    if (bytes.length === 0) throw refused(title, 'is empty.')
    const kind = fileKind(bytes)
    switch (kind?.is) {
      case 'text':
        return { file: 'text', mimeType: TEXT, items: [await this.#textItem(title, kind.text)], warnings: [] }
      case 'image':
        return this.#image(title, bytes, kind.mimeType, imageLimits(provider, model))
      case 'pdf':
        return this.#pdf(title, bytes)
      default:
        throw refused(title, 'is a kind of file that models cannot read. Attach text (UTF-8), PNG, JPEG, WebP, GIF or PDF.')
    }
  }

  async #image(title: string, bytes: Buffer, mimeType: string, limits: ImageLimits): Promise<Read> {
    // Decoding now refuses a damaged image here, with a sentence, and not later by the provider.
    const hash = createHash('sha256').update(bytes).digest('hex')
    const seen = await this.#parts.images.fit({ hash, read: async () => bytes }, limits)
    if (seen.is === 'unseen') throw refused(title, UNSEEN[seen.why])
    const content = await this.#parts.storage.blobs.put(bytes, mimeType)
    const items = [{ uri: encodeURIComponent(title), mimeType, content }]
    return { file: 'image', mimeType, items, warnings: [] }
  }

  async #pdf(title: string, bytes: Buffer): Promise<Read> {
    const read = await this.#parts.documents.pdf(bytes)
    if (read.is === 'unread') throw refused(title, UNREAD[read.why])
    const { text, pages, encrypted } = read
    const warnings: string[] = []
    if (text === '') warnings.push('No text was found in it. Only models that take PDF files see its pages.')
    else if (read.cut) warnings.push(`Its text ends on page ${read.read} of ${pages}.`)
    const content = await this.#parts.storage.blobs.put(bytes, PDF)
    const items: ResourceItem[] = [{ uri: encodeURIComponent(title), mimeType: PDF, content }]
    if (text !== '') items.push(await this.#textItem(`${title}.txt`, text))
    return { file: 'pdf', mimeType: PDF, items, warnings, ...(!encrypted && { pages }) }
  }

  async #textItem(title: string, text: string): Promise<ResourceItem> {
    const content = await boundText(text, this.#parts.storage.blobs, new InlineBudget(INLINE))
    return { uri: encodeURIComponent(title), mimeType: TEXT, content }
  }
}

const TEXT = 'text/plain'
const PDF = 'application/pdf'

/** Reasons of the thread that reads, whatever it was to read; each is the rest of a sentence. */
export const NOT_READ = {
  lost: 'cannot be read: a part of Parley could not be loaded. Install Parley again.',
  busy: 'came with too many others. Attach it again in a moment.',
  ended: 'was not attached: Parley is closing.',
} as const

const UNSEEN: Readonly<Record<Extract<FittedImage, { is: 'unseen' }>['why'], string>> = {
  'no-image': 'is cut off or damaged. Open it, save it again and attach it once more.',
  broken: 'is cut off or damaged. Open it, save it again and attach it once more.',
  'too-many-pixels': 'has more than 64 million pixels. Make it smaller and attach it again.',
  'too-many-bytes': 'cannot be made small enough for a model. Make it smaller and attach it again.',
  'too-slow': 'takes too long to decode. Make it smaller and attach it again.',
  ...NOT_READ,
}

const UNREAD: Readonly<Record<Extract<ReadPdf, { is: 'unread' }>['why'], string>> = {
  locked: 'needs a password. Save it without one and attach it again.',
  broken: 'is not a PDF that can be read. Open it, print it to a new PDF and attach that.',
  'too-slow': 'takes too long to read. Print the pages that matter to a new PDF and attach that.',
  ...NOT_READ,
}

function refused(title: string, why: string): HostError {
  return new HostError('refused', `“${title}” ${why}`)
}

/** A file's name without folders, and without characters that reverse or hide the text around it. */
export function fileTitle(name: string): string {
  const own = name.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const plain = own.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}“”]/gu, '').replace(/\s+/g, ' ')
  return cut(plain.trim() || 'file', NAME_LENGTH)
}
