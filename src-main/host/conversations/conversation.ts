import { randomUUID } from 'node:crypto'
import type { Emitter } from '../../../src-shared/base/emitter.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { type Attachment, isFile } from '../../../src-shared/contract/attachments.ts'
import type { NamedPlace } from '../../../src-shared/contract/consent.ts'
import { type ConversationHead, PIN_LIMIT, TAG_LENGTH, TAG_LIMIT, type Turn } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, MessageId, ToolCallId, TurnId } from '../../../src-shared/contract/ids.ts'
import { NO_PLACE, type Place, type ProjectHead } from '../../../src-shared/contract/projects.ts'
import type { ResultOf } from '../../../src-shared/contract/requests.ts'
import type { ToolSwitches } from '../../../src-shared/contract/settings.ts'
import {
  applyTopicEvent,
  type ConversationEvent,
  type ConversationTopic,
  TOPIC_MESSAGES,
} from '../../../src-shared/contract/topics.ts'
import { type ConversationState, StorageError } from '../../storage/base/storage.ts'
import type { Consent } from '../consent/consent.ts'
import type { ConversationReading } from '../consent/readings.ts'
import { StoppedByPerson } from '../core/call-endings.ts'
import type { HostCore } from '../core/host-core.ts'
import { attachmentTokens, measuringReader } from '../models/attachment-tokens.ts'
import type { Providers } from '../models/providers.ts'
import { documentsWithin } from '../models/sent-documents.ts'
import type { Offerings } from '../offerings/offerings.ts'
import type { ProjectGuidance, Projects } from '../projects/projects.ts'
import { tidyPlace } from '../projects/tidy-place.ts'
import { Attachments } from './attachments.ts'
import { storageProblem } from './call-failures.ts'
import { ConversationJournal } from './conversation-journal.ts'
import { withinBytes } from './conversation-topic.ts'
import type { Transcript } from './model-history.ts'
import { resumeTurn } from './resume-turn.ts'
import type { Pending } from './running-call.ts'
import { checkLength, saidMessage, titleOf } from './said-message.ts'
import type { ToolCalls } from './tool-calls.ts'
import { bothSwitches, tidySwitches } from './tool-switches.ts'
import { TurnRun } from './turn.ts'

const MESSAGE_PAGE = 100

export interface ConversationParts extends Pick<HostCore, 'storage' | 'state' | 'topics' | 'clock' | 'folders'> {
  /** Of all conversations: turns end with it. */
  readonly lifetime: Lifetime
  readonly providers: Providers
  readonly calls: ToolCalls
  readonly projects: Projects
  readonly consent: Consent
  readonly offerings: Offerings
  readonly onFinished: Emitter<ConversationId>
}

/** A change as a whole: kept in one transaction, then shown. */
export interface Change {
  readonly head?: ConversationHead
  /** With a head it becomes the newest conversation. */
  readonly events?: readonly ConversationEvent[]
  readonly place?: Place
}

/** Keeps a change and shows it; only in hand while nothing else changes the conversation. */
export type Write = (change: Change) => Promise<void>

interface Running {
  readonly run: TurnRun
  readonly controller: AbortController
  readonly ended: Promise<void>
}

/** How a message takes the place of others. */
interface SaidInPlace {
  readonly before?: readonly ConversationEvent[]
  readonly kept?: readonly Attachment[]
  /** Its words are the title, whatever that was. */
  readonly retitled?: boolean
}

/** One conversation: its head, its other state, the one way to change it, its turn while one runs, and what was read in it. */
export class Conversation {
  readonly id: ConversationId
  readonly journal: ConversationJournal
  readonly reading: ConversationReading
  readonly attachments: Attachments
  /** For what is done with it in files of its own. */
  readonly parts: ConversationParts
  /** As it is kept: idle. */
  #head: ConversationHead
  #state: ConversationState
  /** While windows follow it. */
  #topic: ConversationTopic | undefined
  #running: Running | undefined
  #removed = false

  constructor(parts: ConversationParts, head: ConversationHead, state: ConversationState) {
    this.parts = parts
    this.id = head.id
    this.#head = head
    this.#state = state
    this.reading = parts.consent.reading()
    this.attachments = new Attachments(this, parts)
    this.journal = new ConversationJournal({ id: head.id, clock: parts.clock, store: parts.storage.conversations })
    this.journal.onWritten.on((events) => this.#show(events))
    this.journal.onFailed.on((error) => this.#cannotWrite(error))
  }

  // How it is

  /** As it is shown: with the turn, and without a project that is gone. */
  get head(): ConversationHead {
    const { project, overdue: _overdue, ...head } = this.#head
    return {
      ...head,
      ...(project !== undefined && this.parts.projects.find(project) && { project }),
      turn: this.#running ? 'running' : 'idle',
      ...(this.#running?.run.overdue && { overdue: true }),
    }
  }

  /** Attachments that wait for the next message. */
  get waiting(): readonly Attachment[] {
    return this.#state.attachments ?? []
  }

  get switches(): ToolSwitches | undefined {
    return this.#state.switches
  }

  /** Named for it alone. */
  get ownPlace(): Place {
    return this.#state.place ?? NO_PLACE
  }

  /** Together with that of its project. */
  get place(): NamedPlace {
    return this.parts.projects.placeOf(this.ownPlace, this.#head.project)
  }

  get project(): ProjectHead | undefined {
    return this.parts.projects.find(this.#head.project)
  }

  get guidance(): ProjectGuidance | undefined {
    return this.parts.projects.guidanceOf(this.#head.project)
  }

  /** Switches of the conversation together with those of its project. */
  get allSwitches(): ToolSwitches {
    return bothSwitches(this.switches, this.guidance?.switches)
  }

  /** Hidden in this run of the host; gone for good at the next start. */
  get removed(): boolean {
    return this.#removed
  }

  /** Nothing is lost when it is loaded again. */
  get idle(): boolean {
    return !this.#running && !this.#topic && !this.#removed && this.journal.idle
  }

  /** All that was said so far, as it is on disk. */
  transcript(): Promise<Transcript> {
    return this.parts.storage.conversations.transcript(this.id)
  }

  messagesBefore(before: MessageId): Promise<ResultOf<'message.page'>> {
    return this.parts.storage.conversations.messagesBefore(this.id, before, MESSAGE_PAGE)
  }

  /** Takes in what was said and read, unless a turn did: it knows the files of the project as well. */
  async read(): Promise<void> {
    if (!this.reading.begun) await this.reading.update(await this.transcript())
  }

  /** For a window that follows it; the value is read at the moment at which following begins. */
  follow(): Promise<(() => ConversationTopic) | undefined> {
    return this.journal.run(async () => {
      if (this.#removed) return undefined
      if (!this.#topic) {
        const topic = await this.parts.storage.conversations.open(this.id, TOPIC_MESSAGES)
        if (!topic) return undefined
        this.attachments.follow(topic)
        this.#topic = withinBytes(topic)
      }
      const first = this.#topic
      return () => this.#topic ?? first
    })
  }

  unfollow(): void {
    this.#topic = undefined
  }

  /** Attachments at their cost for the model that is about to be given them, sent before or not. */
  async counted<A extends Attachment>(attached: readonly A[], model = this.#head.model): Promise<readonly A[]> {
    if (attached.length === 0) return attached
    const { providers, storage } = this.parts
    const traits = providers.traitsOf(model)
    const documents = traits.documents
      ? documentsWithin((await this.transcript()).messages, this.guidance?.files, attached.filter(isFile))
      : undefined
    const reader = measuringReader(storage.blobs, model, traits, documents)
    const count = async (one: A) => ({ ...one, tokens: await attachmentTokens(one, reader, traits) })
    return Promise.all(attached.map(count))
  }

  // How it changes

  /** Runs while nothing else changes it. Throws HostError `not-found` when it was removed. */
  exclusively<T>(run: (write: Write) => Promise<T>): Promise<T> {
    return this.journal.run(async () => {
      if (this.#removed) throw gone()
      return run((change) => this.#write(change))
    })
  }

  /** The same while no turn runs: `run` may start one. */
  begin<T>(run: (write: Write) => Promise<T>): Promise<T> {
    return this.exclusively((write) => {
      if (this.parts.lifetime.ended) throw new HostError('unavailable', 'Parley is closing.')
      if (this.#running) throw new HostError('conflict', 'The model is still working here. Stop it first.')
      return run(write)
    })
  }

  /** The head that `to` gives is kept, unless it is the same. */
  changeHead(to: (head: ConversationHead) => ConversationHead): Promise<void> {
    return this.exclusively(async (write) => {
      const before = this.head
      const head = to(before)
      if (head !== before) await write({ head })
    })
  }

  async rename(title: string): Promise<void> {
    const line = titleOf(title)
    if (!line) throw new HostError('invalid-params', 'A title needs at least one character.')
    await this.changeHead((head) => ({ ...head, title: line }))
  }

  async pin(pinned: boolean): Promise<void> {
    const { pinned: before = false } = this.head
    if (before === pinned) return
    if (pinned && (await this.parts.storage.conversations.heads({ limit: 1, pinned: true })).total >= PIN_LIMIT) {
      throw new HostError('refused', `${PIN_LIMIT} conversations are pinned already. Unpin one first.`)
    }
    await this.changeHead(({ pinned: _before, ...head }) => (pinned ? { ...head, pinned } : head))
  }

  /** Archiving unpins it. */
  archive(archived: boolean): Promise<void> {
    return this.changeHead((head) => {
      const { archived: before = false, pinned, ...kept } = head
      if (before === archived) return head
      return archived ? { ...kept, archived } : { ...kept, ...(pinned && { pinned }) }
    })
  }

  async tag(tags: readonly string[]): Promise<void> {
    const tidy = [...new Set(tags.map((tag) => tag.trim().replace(/\s+/g, ' ')).filter(Boolean))]
    if (tidy.length > TAG_LIMIT) throw new HostError('invalid-params', `A conversation has at most ${TAG_LIMIT} tags.`)
    const long = tidy.find((tag) => tag.length > TAG_LENGTH)
    if (long !== undefined) throw new HostError('invalid-params', `A tag has at most ${TAG_LENGTH} characters.`)
    await this.changeHead(({ tags: _before, ...head }) => (tidy.length > 0 ? { ...head, tags: tidy } : head))
  }

  /** Tools that the model is not offered here, from its next round on. */
  setSwitches(switches: ToolSwitches): Promise<void> {
    const events: ConversationEvent[] = [{ type: 'switches.changed', switches: tidySwitches(switches) }]
    return this.exclusively((write) => write({ events }))
  }

  /** Throws HostError for the first that cannot be named. */
  async setPlace(wanted: Place): Promise<void> {
    const place = await tidyPlace(wanted, this.ownPlace, this.parts)
    await this.exclusively((write) => write({ place }))
  }

  /** Keeps the message, then begins its turn. Resolves when the message is kept. What waits to be sent may go without words. */
  async send(text: string): Promise<{ messageId: MessageId }> {
    checkLength(text)
    return this.begin((write) => this.say(write, text))
  }

  /** Keeps what the person says, after `before`, with what waits to be sent, or with `kept` in its place, and begins its turn. Within `begin`. */
  async say(
    write: Write,
    text: string,
    { before = [], kept, retitled = false }: SaidInPlace = {},
  ): Promise<{ messageId: MessageId }> {
    const now = this.parts.clock.now()
    const turn: Turn = { id: randomUUID() as TurnId, status: 'running', startedAt: now, round: 0 }
    const attached = await this.counted(kept ?? this.waiting)
    const message = await saidMessage({ text, attached, turnId: turn.id, at: now }, this.parts.storage.blobs)
    const events: ConversationEvent[] = [
      ...before,
      { type: 'message.added', message },
      { type: 'turn.changed', turn },
      ...(kept || attached.length === 0 ? [] : [{ type: 'attachments.changed' as const, attachments: [] }]),
    ]
    const { archived: _archived, ...head } = this.head
    const title = (retitled ? '' : head.title) || titleOf(text) || titleOf(attached[0]?.title ?? '')
    await write({ head: { ...head, title, updatedAt: now }, events })
    this.start(turn)
    return { messageId: message.id }
  }

  /** Hides it at once, stopping its turn. */
  async remove(): Promise<void> {
    await this.cancel()
    await this.exclusively(async () => {
      await this.parts.storage.conversations.setRemoved(this.id, true)
      this.#removed = true
    })
    this.attachments.letGo()
    this.parts.topics.gone(`conversation/${this.id}`)
  }

  /** True when it was hidden until now. */
  restore(): Promise<boolean> {
    return this.journal.run(async () => {
      if (!this.#removed) return false
      await this.parts.storage.conversations.setRemoved(this.id, false)
      this.#removed = false
      return true
    })
  }

  // Its turn

  /** Only within `begin`. `resumed` are calls of an interrupted turn that had not started. */
  start(turn: Turn, resumed: readonly Pending[] = []): void {
    if (this.parts.lifetime.ended) return
    const lifetime = new Lifetime(`turn ${turn.id}`, this.parts.lifetime)
    const { title, model } = this.head
    const controller = new AbortController()
    const signal = AbortSignal.any([lifetime.signal, controller.signal])
    const run = new TurnRun({ ...this.parts, conversation: this, conversationId: this.id, title, model, signal }, turn)
    const ended = run.run(resumed).then(() => this.#ended(run))
    this.#running = { run, controller, ended }
    lifetime.onEnd(() => ended)
    void ended.then(() => lifetime.end())
    this.showHead()
  }

  /** Resumes a turn that did not finish. */
  retry(): Promise<void> {
    return this.begin(async (write) => {
      // Writes what waits of the last turn, which is read below.
      await write({})
      const { conversations, blobs } = this.parts.storage
      const last = await conversations.latestTurn(this.id)
      const { turn, events, calls } = await resumeTurn(last, await this.transcript(), blobs)
      await write({ events })
      this.start(turn, calls)
    })
  }

  /** The person stops it; resolves when everything of it has ended and is kept. */
  async cancel(): Promise<void> {
    // One may be about to begin.
    if (!this.#running) await this.journal.run(async () => {})
    const running = this.#running
    running?.controller.abort(new StoppedByPerson())
    await running?.ended
  }

  /** Stops one call; the turn goes on. */
  cancelCall(toolCallId: ToolCallId): void {
    if (!this.#running) throw new HostError('not-found', 'This call has already ended.')
    this.#running.run.cancelCall(toolCallId)
  }

  /** Tells windows whether a turn runs, and whether a call of it waits for a word of the person. */
  showHead(): void {
    this.parts.state.emit({ type: 'conversation.changed', head: this.head })
  }

  /** Keeps that it ended, then lets it go, then tells: a message may be sent as soon as it is told. */
  async #ended({ turn }: TurnRun): Promise<void> {
    const event: ConversationEvent = { type: 'turn.changed', turn }
    await this.journal.run(async () => {
      try {
        await this.#write({ head: { ...this.head, updatedAt: this.parts.clock.now() }, events: [event] }, () => {
          this.#running = undefined
        })
      } catch (error) {
        this.#running = undefined
        this.#cannotWrite(error)
        // It is written when that can be, and told at once: a window that shows it running would lie.
        this.journal.push(event)
        this.#show([event])
        this.showHead()
      }
    })
    if (turn.status === 'finished') this.parts.onFinished.fire(this.id)
  }

  async #write({ head: wanted, events = [], place }: Change, kept: () => void = () => {}): Promise<void> {
    const { conversations } = this.parts.storage
    await this.journal.write(events, async () => {
      if (!wanted && events.length === 0 && !place) return
      const { overdue: _overdue, ...head } = wanted ?? this.#head
      // The running state is never kept: no turn outlives the host.
      const change = {
        ...(wanted && { head: { ...this.#withoutGone(head), turn: 'idle' as const } }),
        ...(place && { state: { place } }),
      }
      const placed = await conversations.change({ id: this.id, events, ...change })
      if (placed) this.#head = placed
      this.#state = events.reduce(afterEvent, { ...this.#state, ...(place && { place }) })
      kept()
    })
    if (wanted) this.showHead()
  }

  #show(events: readonly ConversationEvent[]): void {
    for (const event of events) {
      if (this.#topic) this.#topic = applyTopicEvent(this.#topic, event)
      this.parts.topics.emit(`conversation/${this.id}`, event)
    }
  }

  /** A project may be removed while a head is being changed: it is neither kept nor shown then. */
  #withoutGone(head: ConversationHead): ConversationHead {
    const { project, ...rest } = head
    return project === undefined || this.parts.projects.find(project) ? head : rest
  }

  #cannotWrite(error: unknown): void {
    const { state, clock } = this.parts
    state.notice('error', storageProblem(error), clock.now())
    const reason =
      error instanceof StorageError ? error : new StorageError('io', 'The conversation could not be written.', { cause: error })
    this.#running?.controller.abort(reason)
  }
}

function afterEvent(state: ConversationState, event: ConversationEvent): ConversationState {
  if (event.type === 'attachments.changed') return { ...state, attachments: event.attachments }
  if (event.type === 'switches.changed') return { ...state, switches: event.switches }
  return state
}

export const gone = (): HostError => new HostError('not-found', 'This conversation no longer exists.')
