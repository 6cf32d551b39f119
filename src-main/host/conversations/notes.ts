import { randomUUID } from 'node:crypto'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { MessageId, NoteId } from '../../../src-shared/contract/ids.ts'
import { NOTE_LIMIT, type NoteHead } from '../../../src-shared/contract/notes.ts'
import type { ResultOf } from '../../../src-shared/contract/requests.ts'
import type { HostCore } from '../core/host-core.ts'
import { KeptRecords } from '../core/kept-records.ts'
import type { Conversation } from './conversation.ts'
import type { PersonFiles } from './person-files.ts'
import { MESSAGE_LIMIT, textOf, titleOf } from './person-message.ts'

interface NotesParts extends Pick<HostCore, 'storage' | 'state' | 'clock'> {
  readonly files: Pick<PersonFiles, 'attachText'>
}

/** Answers that the person saved. In a message they are a model's words, which count as a stranger's. */
export class Notes {
  readonly #parts: NotesParts
  readonly #kept: KeptRecords<'note'>

  constructor(parts: NotesParts) {
    this.#parts = parts
    this.#kept = new KeptRecords(parts.storage.records, 'note', { onChange: () => this.#show(), canRestore: true })
  }

  load(): Promise<void> {
    return this.#kept.load()
  }

  async save(conversation: Conversation, messageId: MessageId): Promise<NoteHead> {
    if (this.#kept.size >= NOTE_LIMIT) throw new HostError('refused', `You already have ${NOTE_LIMIT} notes. Remove one first.`)
    const { messages } = await conversation.transcript()
    const found = messages.find(({ message }) => message.id === messageId)
    const text = found ? await textOf(found.message, this.#parts.storage.blobs) : ''
    if (!text.trim()) throw new HostError('not-found', 'This message has no text.')
    if (Buffer.byteLength(text) > MESSAGE_LIMIT) throw new HostError('refused', 'This answer is too long for a note.')
    const id = randomUUID() as NoteId
    const title = titleOf(text.replace(HIDDEN, '').replace(/^[#>*\s-]+/, '')) || 'Note'
    await this.#kept.put(id, { title, text, savedAt: this.#parts.clock.now() })
    return this.#head(id)
  }

  async rename(id: NoteId, title: string): Promise<void> {
    const line = titleOf(title)
    if (!line) throw new HostError('invalid-params', 'Enter a title.')
    await this.#kept.put(id, { ...this.#existing(id), title: line })
  }

  async remove(id: NoteId): Promise<void> {
    this.#existing(id)
    await this.#kept.remove(id)
  }

  async restore(id: NoteId): Promise<void> {
    if (!(await this.#kept.restore(id))) throw gone()
  }

  attach(conversation: Conversation, id: NoteId): Promise<ResultOf<'conversation.attachNote'>> {
    const { title, text } = this.#existing(id)
    return this.#parts.files.attachText(conversation, `Note - ${title}`, text)
  }

  #head(id: NoteId): NoteHead {
    const { title, savedAt } = this.#existing(id)
    return { id, title, savedAt }
  }

  #existing(id: NoteId) {
    const note = this.#kept.get(id)
    if (!note) throw gone()
    return note
  }

  #show(): void {
    const heads = this.#kept.keys().map((id) => this.#head(id as NoteId))
    this.#parts.state.emit({ type: 'notes.changed', notes: heads.sort((a, b) => b.savedAt - a.savedAt) })
  }
}

/** Characters that a field does not show. Joiners stay, since words and signs need them. */
const HIDDEN = /(?![\s\u200c\u200d])[\p{Cc}\p{Cf}]/gu

const gone = () => new HostError('not-found', 'This note no longer exists.')
