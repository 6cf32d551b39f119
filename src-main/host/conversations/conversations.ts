import { randomUUID } from 'node:crypto'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import { InTurnBy } from '../../../src-shared/base/in-turn.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { ATTACHMENT_LIMIT, type Attachment, isFile } from '../../../src-shared/contract/attachments.ts'
import { INLINE_LIMIT } from '../../../src-shared/contract/blobs.ts'
import {
  type ConversationHead,
  type Message,
  type MessagePart,
  SEARCH_HITS,
  TITLE_LENGTH,
  type ToolCall,
  type Turn,
} from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, MessageId, ProjectId, TurnId } from '../../../src-shared/contract/ids.ts'
import type { SearchHit } from '../../../src-shared/contract/requests.ts'
import type { ModelRef, ToolSwitches } from '../../../src-shared/contract/settings.ts'
import { type ConversationEvent, type ConversationTopic, TOPIC_MESSAGES } from '../../../src-shared/contract/topics.ts'
import { type HeadsWanted, StorageError, type UnplacedHead } from '../../storage/base/storage.ts'
import { boundedText, byteLength, cut, InlineBudget } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { asked } from '../core/host-errors.ts'
import { attachmentTokens, measuringReader } from '../models/attachment-tokens.ts'
import type { Providers } from '../models/providers.ts'
import { documentsWithin } from '../models/sent-documents.ts'
import type { Projects } from '../projects/projects.ts'
import { storageProblem } from './call-failures.ts'
import { ConversationJournal } from './conversation-journal.ts'
import { ConversationTopics } from './conversation-topics.ts'
import { ConversationTurns } from './conversation-turns.ts'
import type { ToolCalls } from './tool-calls.ts'
import { tidySwitches } from './tool-switches.ts'

/** Bytes of what a person says at once. */
export const MESSAGE_LIMIT = 1024 * 1024
const PAGE = 50
const MESSAGE_PAGE = 100
/** Bytes of attachments in the record of one message. */
const ATTACHED_BYTES = 24 * 1024

interface ConversationsParts extends Pick<HostCore, 'storage' | 'state' | 'topics' | 'clock' | 'lifetime'> {
  readonly providers: Providers
  readonly calls: ToolCalls
  readonly projects: Projects
}

/** Every conversation: its head in the snapshot, its messages as a topic, its turn while one runs. */
export class Conversations {
  /** The turn that runs in each, if one does. */
  readonly turns: ConversationTurns
  /** A window opened one. */
  readonly onOpened = new Emitter<{ readonly id: ConversationId; readonly topic: ConversationTopic }>()
  readonly onRemoved = new Emitter<ConversationId>()
  readonly #parts: ConversationsParts
  readonly #lifetime: Lifetime
  readonly #journal: ConversationJournal
  readonly #topics: ConversationTopics
  /** Hidden in this run of the host; gone for good at the next start. */
  readonly #removed = new Map<ConversationId, ConversationHead>()

  /** One change of what waits to be sent at a time. */
  readonly #waiting = new InTurnBy<ConversationId>()
  /** One change of a head at a time: two at once would lose the first. */
  readonly #heads = new InTurnBy<ConversationId>()

  constructor(parts: ConversationsParts) {
    this.#parts = parts
    this.#lifetime = new Lifetime('conversations', parts.lifetime)
    this.#journal = new ConversationJournal({
      ...parts,
      store: parts.storage.conversations,
      onWritten: (id, events) => this.#topics.show(id, events),
      onFailed: (id, error) => this.#cannotWrite(id, error),
    })
    this.#lifetime.onEnd(() => this.#journal.end())
    this.#topics = new ConversationTopics({
      ...parts,
      read: async (id) => {
        const topic = this.#removed.has(id) ? undefined : await this.#store.open(id, TOPIC_MESSAGES)
        if (topic) this.onOpened.fire({ id, topic })
        return topic
      },
      between: (run) => this.#journal.between(run),
    })
    this.turns = new ConversationTurns({
      ...parts,
      lifetime: this.#lifetime,
      journal: this.#journal,
      head: (id) => this.#heads.run(id, () => this.head(id)),
      changeHead: (id, change, events, kept) => this.changeHead(id, change, events, kept),
      show: (id, events) => this.#topics.show(id, events),
    })
  }

  /** Throws HostError `not-found` without the project. */
  async create({ model, project }: { model?: ModelRef; project?: ProjectId } = {}): Promise<{ id: ConversationId }> {
    const within = this.#project(project)
    const now = this.#parts.clock.now()
    const { defaultModel, newSwitches } = this.#parts.state.snapshot.settings
    const unplaced: UnplacedHead = {
      id: randomUUID() as ConversationId,
      title: '',
      createdAt: now,
      updatedAt: now,
      model: model ?? within?.model ?? defaultModel,
      turn: 'idle',
      ...(within && { project: within.id }),
    }
    const head = await asked(this.#store.create(unplaced))
    this.#parts.state.emit({ type: 'conversation.added', head })
    // A project has a set of its own.
    if (!within && newSwitches.servers.length + newSwitches.tools.length > 0) {
      await this.change(head.id, [{ type: 'switches.changed', switches: newSwitches }])
    }
    return { id: head.id }
  }

  /** Keeps the message, then begins its turn. Resolves when the message is kept. What waits to be sent may go without words. */
  async send(id: ConversationId, text: string): Promise<{ messageId: MessageId }> {
    checkLength(text)
    return this.turns.begin(id, () => this.say(id, text))
  }

  async rename(id: ConversationId, title: string): Promise<void> {
    const line = titleOf(title)
    if (!line) throw new HostError('invalid-params', 'A title needs at least one character.')
    await this.changeHead(id, (head) => ({ ...head, title: line }))
  }

  /** Null: into none. From the next turn on. */
  async setProject(id: ConversationId, project: ProjectId | null): Promise<void> {
    const within = this.#project(project ?? undefined)
    await this.changeHead(id, ({ project: _before, ...head }) => (within ? { ...head, project: within.id } : head))
  }

  /** From the next turn on. */
  async setModel(id: ConversationId, model: ModelRef): Promise<void> {
    await this.changeHead(id, (head) => ({ ...head, model }))
  }

  /** Hides it at once, stopping its turn; `restore` undoes it until the host ends. */
  async remove(id: ConversationId): Promise<void> {
    const head = await this.head(id)
    await this.turns.cancel(id)
    await asked(this.#store.setRemoved(id, true))
    this.#removed.set(id, { ...head, turn: 'idle' })
    this.#topics.gone(id)
    this.onRemoved.fire(id)
    this.#parts.state.emit({ type: 'conversation.removed', id })
  }

  async restore(id: ConversationId): Promise<void> {
    const head = this.#removed.get(id)
    if (!head) throw new HostError('not-found', 'This conversation cannot be brought back.')
    await asked(this.#store.setRemoved(id, false))
    if (!this.#removed.delete(id)) return
    this.#parts.state.emit({ type: 'conversation.added', head })
  }

  /** Tools that the model is not offered here, from its next round on. */
  async setSwitches(id: ConversationId, switches: ToolSwitches): Promise<void> {
    await this.change(id, [{ type: 'switches.changed', switches: tidySwitches(switches) }])
  }

  async page(
    wanted: Omit<HeadsWanted, 'limit'> = {},
  ): Promise<{ items: readonly ConversationHead[]; next?: string; total: number }> {
    const page = await asked(this.#store.heads({ ...wanted, limit: PAGE }))
    return { ...page, items: page.items.map((head) => this.turns.onHead(head)) }
  }

  async search(query: string): Promise<{ hits: readonly SearchHit[] }> {
    const hits = await asked(this.#store.search(query, SEARCH_HITS))
    return { hits: hits.map((hit) => ({ ...hit, head: this.turns.onHead(hit.head) })) }
  }

  async messagesBefore(
    id: ConversationId,
    before: MessageId,
  ): Promise<{ messages: readonly Message[]; toolCalls: readonly ToolCall[]; hasEarlier: boolean }> {
    await this.head(id)
    return asked(this.#store.messagesBefore(id, before, MESSAGE_PAGE))
  }

  // For the rooms beside this one: branches, attachments, prompts

  /** Keeps and shows changes of a conversation that exists. */
  async change(id: ConversationId, events: readonly ConversationEvent[]): Promise<void> {
    await this.head(id)
    await asked(this.#journal.write(id, events))
  }

  /** Attachments that are not yet sent. */
  async waiting(id: ConversationId): Promise<readonly Attachment[]> {
    return (await asked(this.#store.state(id))).attachments ?? []
  }

  /** Attachments at their cost for the model that is about to be given them. */
  async counted(id: ConversationId, attached: readonly Attachment[]): Promise<readonly Attachment[]> {
    if (attached.length === 0) return attached
    const { providers, projects, storage } = this.#parts
    const { model } = await this.head(id)
    const traits = providers.traitsOf(model)
    const documents = traits.documents
      ? documentsWithin(
          (await asked(this.#store.transcript(id))).messages,
          projects.guidanceFor(id)?.files,
          attached.filter(isFile),
        )
      : undefined
    const reader = measuringReader(storage.blobs, model, traits, documents)
    const count = async (one: Attachment) => ({ ...one, tokens: await asked(attachmentTokens(one, reader, traits)) })
    return Promise.all(attached.map(count))
  }

  /** Runs while nothing else attaches, takes back or sends here. */
  exclusively<T>(id: ConversationId, run: () => Promise<T>): Promise<T> {
    return this.#waiting.run(id, run)
  }

  /** Resolves when everything that happened here so far is in the store. */
  async written(id: ConversationId): Promise<void> {
    await asked(this.#journal.flush(id))
  }

  /**
   * Keeps what the person says, after `before`, with what waits to be sent, or with `kept` in its place, and begins its turn.
   * `retitled`: its words are the title, whatever that was. Only within `turns.begin`.
   */
  say(
    id: ConversationId,
    text: string,
    { before = [], kept, retitled = false }: SaidInPlace = {},
  ): Promise<{ messageId: MessageId }> {
    return this.exclusively(id, async () => {
      const waiting = kept ? [] : await this.waiting(id)
      const now = this.#parts.clock.now()
      const turn: Turn = { id: randomUUID() as TurnId, status: 'running', startedAt: now, round: 0 }
      const attached = await this.counted(id, kept ?? waiting)
      const [first] = attached
      const wordless = text.trim() === ''
      if (wordless && !first) throw new HostError('invalid-params', 'The message is empty.')
      const taken = attached.length > 0 ? byteLength(JSON.stringify(attached)) : 0
      if (attached.length > ATTACHMENT_LIMIT || taken > ATTACHED_BYTES) {
        throw new HostError('refused', 'This is too much for one message. Take back some of what is attached.')
      }
      const budget = new InlineBudget(taken > 0 ? INLINE_LIMIT - taken - 1024 : INLINE_LIMIT)
      const message: Message = {
        id: randomUUID() as MessageId,
        turnId: turn.id,
        role: 'user',
        at: now,
        parts: [
          ...(wordless
            ? []
            : [{ type: 'text' as const, ...(await asked(boundedText(text, this.#parts.storage.blobs, budget))) }]),
          ...attached.map(attachedPart),
        ],
        status: 'done',
      }
      const events: ConversationEvent[] = [
        ...before,
        { type: 'message.added', message },
        { type: 'turn.changed', turn },
        ...(waiting.length > 0 ? [{ type: 'attachments.changed' as const, attachments: [] }] : []),
      ]
      const said = ({ archived: _archived, ...head }: ConversationHead) => {
        const title = (retitled ? '' : head.title) || titleOf(text) || titleOf(first?.title ?? '')
        return { ...head, title, updatedAt: now }
      }
      this.turns.start(await this.changeHead(id, said, events), turn, [])
      return { messageId: message.id }
    })
  }

  /** Ends every turn; they can be gone on with at the next start. */
  async end(): Promise<void> {
    await this.#lifetime.end()
  }

  #project(id: ProjectId | undefined) {
    const project = this.#parts.projects.find(id)
    if (id !== undefined && !project) throw new HostError('not-found', 'This project no longer exists.')
    return project
  }

  get #store() {
    return this.#parts.storage.conversations
  }

  #cannotWrite(id: ConversationId, error: unknown): void {
    this.#parts.state.notice('error', storageProblem(error), this.#parts.clock.now())
    const reason =
      error instanceof StorageError ? error : new StorageError('io', 'The conversation could not be written.', { cause: error })
    this.turns.abort(id, reason)
  }

  async head(id: ConversationId): Promise<ConversationHead> {
    const shown = this.#parts.state.snapshot.conversations.find((head) => head.id === id)
    const head = shown ?? (this.#removed.has(id) ? undefined : await asked(this.#store.head(id)))
    if (!head) throw new HostError('not-found', 'This conversation no longer exists.')
    return this.turns.onHead(head)
  }

  /** A project may be removed while a head is being changed: it is neither kept nor shown then. */
  #withoutGone(head: ConversationHead): ConversationHead {
    const { project, ...rest } = head
    return project === undefined || this.#parts.projects.find(project) ? head : rest
  }

  /**
   * After all changes before it; what `change` gives is kept, unless it is the same. Gives what holds then. With `events` both are
   * kept in one transaction, or neither, and it is the newest conversation; `kept` hears of it before anything is shown.
   */
  changeHead(
    id: ConversationId,
    change: (head: ConversationHead) => ConversationHead,
    events: readonly ConversationEvent[] = [],
    kept: () => void = () => {},
  ): Promise<ConversationHead> {
    return this.#heads.run(id, async () => {
      const before = await this.head(id)
      const head = this.#withoutGone(change(before))
      if (head === before && events.length === 0) return before
      const { overdue: _overdue, ...rest } = head
      // The running state is never kept: no turn outlives the host.
      const saved = { ...rest, turn: 'idle' as const }
      if (events.length === 0) await asked(this.#store.saveHead(saved))
      const { sequence } = events.length > 0 ? await asked(this.#journal.writeWithHead(saved, events, kept)) : head
      this.#parts.state.emit({ type: 'conversation.changed', head: this.turns.onHead(this.#withoutGone({ ...head, sequence })) })
      return { ...head, sequence }
    })
  }
}

/** How a message takes the place of others. */
interface SaidInPlace {
  readonly before?: readonly ConversationEvent[]
  readonly kept?: readonly Attachment[]
  readonly retitled?: boolean
}

/** It as a part of the message that it goes with. */
export function attachedPart(attachment: Attachment): MessagePart {
  return isFile(attachment) ? { type: 'file', ...attachment } : { type: 'resource', ...attachment }
}

/** Throws HostError `invalid-params`. */
export function checkLength(message: string): void {
  if (byteLength(message) > MESSAGE_LIMIT) throw new HostError('invalid-params', 'The message is longer than 1 MiB.')
}

/** The first line that says something, cut to fit a list. */
export function titleOf(text: string): string {
  const line = text.split(/[\r\n]+/).find((one) => one.trim()) ?? ''
  return cut(line.trim().replace(/\s+/g, ' '), TITLE_LENGTH)
}
