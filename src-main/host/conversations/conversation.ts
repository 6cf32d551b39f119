import { randomUUID } from 'node:crypto'
import { defined } from '../../../src-shared/base/defined.ts'
import type { Emitter } from '../../../src-shared/base/emitter.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { type Attachment, isFile } from '../../../src-shared/contract/attachments.ts'
import type { NamedPlace } from '../../../src-shared/contract/consent.ts'
import {
  type ConversationHead,
  type Message,
  PIN_LIMIT,
  TAG_LENGTH,
  TAG_LIMIT,
  type Turn,
} from '../../../src-shared/contract/conversations.ts'
import { HostError, type Problem } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, MessageId, ToolCallId, TurnId } from '../../../src-shared/contract/ids.ts'
import { NO_PLACE, type Place, type ProjectHead } from '../../../src-shared/contract/projects.ts'
import { whyHeld } from '../../../src-shared/contract/queue.ts'
import type { ResultOf } from '../../../src-shared/contract/requests.ts'
import type { ToolSwitches } from '../../../src-shared/contract/settings.ts'
import {
  applyTopicEvent,
  type ConversationEvent,
  type ConversationTopic,
  TOPIC_MESSAGES,
} from '../../../src-shared/contract/topics.ts'
import { type ConversationState, StorageError, type Transcript } from '../../storage/base/storage.ts'
import type { Consent } from '../consent/consent.ts'
import type { ConversationReading } from '../consent/readings.ts'
import { StoppedByPerson } from '../core/call-endings.ts'
import { cut } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { attachmentTokens, measuringReader } from '../models/attachment-tokens.ts'
import type { Providers } from '../models/providers.ts'
import { documentsWithin } from '../models/sent-documents.ts'
import type { Offerings } from '../offerings/offerings.ts'
import type { ProjectGuidance, Projects } from '../projects/projects.ts'
import { tidyPlace } from '../projects/tidy-place.ts'
import type { Skills } from '../skills/skills.ts'
import { Attachments } from './attachments.ts'
import { BackgroundCalls } from './background-calls.ts'
import { storageProblem } from './call-failures.ts'
import { ConversationJournal } from './conversation-journal.ts'
import { withinBytes } from './conversation-topic.ts'
import { MessageQueue } from './message-queue.ts'
import { attachmentsOf, beginningWith, checkLength, personMessage, titleOf } from './person-message.ts'
import { resumeTurn } from './resume-turn.ts'
import type { ProposedCall } from './running-call.ts'
import type { ToolCalls } from './tool-calls.ts'
import { bothSwitches, tidySwitches } from './tool-switches.ts'
import { TurnRun } from './turn.ts'
import { UndoCalls } from './undo-calls.ts'

const MESSAGE_PAGE = 100

export interface ConversationParts extends Pick<HostCore, 'storage' | 'state' | 'topics' | 'clock' | 'folders' | 'platform'> {
  /** Shared by all conversations; turns end with it. */
  readonly lifetime: Lifetime
  readonly providers: Providers
  readonly calls: ToolCalls
  readonly projects: Projects
  readonly consent: Consent
  readonly offerings: Offerings
  readonly skills: Skills
  readonly onFinished: Emitter<ConversationId>
}

/** A change that is saved in one transaction and then shown. */
export interface Change {
  readonly head?: ConversationHead
  /** Hides this message and all after it, before the events. */
  readonly hideFrom?: MessageId
  /** Shows this message and what was shown after it last. */
  readonly show?: MessageId
  readonly events?: readonly ConversationEvent[]
  readonly place?: Place
}

/** Saves a change and shows it. Passed only to code that runs exclusively. */
export type Write = (change: Change) => Promise<void>

interface Running {
  readonly run: TurnRun
  readonly controller: AbortController
  readonly ended: Promise<void>
  /** Set when the person decides: the next waiting message is sent after it however it ends, or none is. */
  goesOn?: boolean
}

interface SayOptions {
  /** The message that it is a new version of. */
  readonly instead?: MessageId
  /** Attachments of the message, in place of the waiting ones. */
  readonly kept?: readonly Attachment[]
  /** True to take the title from the message again. */
  readonly retitled?: boolean
  /** Tokens after which the turn stops. */
  readonly tokens?: number
}

/** One conversation: its head and other state, the only way to change it, its running turn, and what was read in it. */
export class Conversation {
  readonly id: ConversationId
  readonly journal: ConversationJournal
  readonly reading: ConversationReading
  readonly attachments: Attachments
  readonly background: BackgroundCalls
  readonly undo: UndoCalls
  readonly queue: MessageQueue
  /** Public for the functions in other files that act on a conversation. */
  readonly parts: ConversationParts
  /** The saved head, whose turn is always idle. */
  #head: ConversationHead
  #state: ConversationState
  /** Set while windows follow it. */
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
    this.background = new BackgroundCalls(this, parts)
    this.undo = new UndoCalls(this)
    this.queue = new MessageQueue(this, parts.storage.blobs)
    this.journal = new ConversationJournal({ id: head.id, clock: parts.clock, store: parts.storage.conversations })
    this.journal.onWritten.on((events) => this.#show(events))
    this.journal.onFailed.on((error) => this.#cannotWrite(error))
  }

  /** The head for windows, with the turn and without a removed project. */
  get head(): ConversationHead {
    const { project, overdue: _overdue, ...head } = this.#head
    return {
      ...head,
      ...(project !== undefined && this.parts.projects.find(project) && { project }),
      turn: this.#running ? 'running' : 'idle',
      ...(this.#running?.run.overdue && { overdue: true }),
    }
  }

  /** Attachments for the next message. */
  get waiting(): readonly Attachment[] {
    return this.#state.attachments ?? []
  }

  /** Messages that wait for the end of the turn. */
  get queued(): readonly Message[] {
    return this.#state.queue ?? []
  }

  get switches(): ToolSwitches | undefined {
    return this.#state.switches
  }

  /** Without the project's place. */
  get ownPlace(): Place {
    return this.#state.place ?? NO_PLACE
  }

  /** Its own place together with the project's. */
  get place(): NamedPlace {
    return this.parts.projects.placeOf(this.ownPlace, this.#head.project)
  }

  get project(): ProjectHead | undefined {
    return this.parts.projects.find(this.#head.project)
  }

  get guidance(): ProjectGuidance | undefined {
    return this.parts.projects.guidanceOf(this.#head.project)
  }

  /** Its own switches together with the project's. */
  get allSwitches(): ToolSwitches {
    return bothSwitches(this.switches, this.guidance?.switches)
  }

  /** True once it was removed; it is deleted at the next start. */
  get removed(): boolean {
    return this.#removed
  }

  /** True if it can be dropped from memory without loss. */
  get idle(): boolean {
    return !this.#running && !this.#topic && !this.#removed && this.journal.idle && !this.background.busy && !this.undo.busy
  }

  /** True while a window follows it. */
  get followed(): boolean {
    return this.#topic !== undefined
  }

  transcript(): Promise<Transcript> {
    return this.parts.storage.messages.transcript(this.id)
  }

  messagesBefore(before: MessageId): Promise<ResultOf<'message.page'>> {
    return this.parts.storage.messages.pageBefore(this.id, before, MESSAGE_PAGE)
  }

  /** Reads the transcript for consent, unless a turn has already done so. */
  async read(): Promise<void> {
    if (!this.reading.begun) await this.reading.update(await this.transcript())
  }

  /** Opens its topic. The returned function reads the value when following begins. */
  follow(): Promise<(() => ConversationTopic) | undefined> {
    return this.journal.run(async () => {
      if (this.#removed) return undefined
      if (!this.#topic) {
        const topic = await this.parts.storage.conversations.open(this.id, TOPIC_MESSAGES)
        if (!topic) return undefined
        this.background.seen()
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

  /** Attachments, sent or not, with their tokens for a model. */
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

  /** Runs `run` while nothing else changes the conversation. Throws HostError `not-found` when it was removed. */
  exclusively<T>(run: (write: Write) => Promise<T>): Promise<T> {
    return this.journal.run(async () => {
      if (this.#removed) throw gone()
      return run((change) => this.#write(change))
    })
  }

  /** Like `exclusively`, but only while no turn runs, so that `run` can start one. Throws HostError `conflict`. */
  begin<T>(run: (write: Write) => Promise<T>): Promise<T> {
    return this.exclusively((write) => {
      this.#checkOpen()
      if (this.#running) throw new HostError('conflict', 'The model is still working here. Stop it first.')
      return run(write)
    })
  }

  changeHead(to: (head: ConversationHead) => ConversationHead): Promise<void> {
    return this.exclusively(async (write) => {
      const before = this.head
      const head = to(before)
      if (head !== before) await write({ head })
    })
  }

  async rename(title: string): Promise<void> {
    const line = titleOf(title)
    if (!line) throw new HostError('invalid-params', 'Enter a title.')
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

  /** Archiving also unpins it. */
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

  /** Applies from the model's next round on. */
  setSwitches(switches: ToolSwitches): Promise<void> {
    const events: ConversationEvent[] = [{ type: 'switches.changed', switches: tidySwitches(switches) }]
    return this.exclusively((write) => write({ events }))
  }

  /** Throws HostError for an invalid part of the place. */
  async setPlace(wanted: Place): Promise<void> {
    const place = await tidyPlace(wanted, this.ownPlace, this.parts)
    await this.exclusively((write) => write({ place }))
  }

  /**
   * Saves the message and begins its turn. While another turn runs it waits in the queue; `now` ends that turn after the calls that run.
   * Resolves when it is saved. The text may be empty if attachments wait.
   */
  async send(text: string, now = false): Promise<{ messageId: MessageId }> {
    checkLength(text)
    return this.exclusively(async (write) => {
      this.#checkOpen()
      if (!this.#running) return this.say(write, text)
      const message = await this.#composed(text, this.waiting)
      await write({ events: [this.queue.with(message, now), ...this.#withoutWaiting()] })
      if (now) this.#leave()
      return { messageId: message.id }
    })
  }

  /** Begins the turn of a waiting message, at once or after the calls that run. */
  sendQueued(messageId: MessageId): Promise<void> {
    return this.exclusively(async (write) => {
      this.#checkOpen()
      const message = this.queue.find(messageId)
      if (this.#running) {
        await write({ events: [this.queue.withFirst(message)] })
        return this.#leave()
      }
      const { turn, events } = this.#beginningOf(message)
      await write({ head: this.#answered(), events })
      this.start(turn)
    })
  }

  /** Saves a message of the person and begins its turn. Only within `begin`. */
  async say(
    write: Write,
    text: string,
    { instead, kept, retitled = false, tokens }: SayOptions = {},
  ): Promise<{ messageId: MessageId }> {
    const message = await this.#composed(text, kept ?? this.waiting)
    const { turn, events } = beginningWith(message)
    const head = this.#answered()
    const title = (retitled ? '' : head.title) || titleOf(text) || titleOf(attachmentsOf(message)[0]?.title ?? '')
    const hideFrom = instead && { hideFrom: instead }
    await write({ head: { ...head, title }, ...hideFrom, events: [...events, ...(kept ? [] : this.#withoutWaiting())] })
    this.start(turn, [], tokens)
    return { messageId: message.id }
  }

  async showVersion(messageId: MessageId): Promise<void> {
    if ((await this.transcript()).messages.some(({ message }) => message.id === messageId)) return
    await this.begin(async (write) => {
      if ((await this.parts.storage.messages.versionsOf(this.id, messageId)) === 0)
        throw new HostError('not-found', 'This message no longer exists.')
      await write({ show: messageId })
    })
    await this.background.resume()
  }

  /** Shows the version that has this call. */
  async showCall(toolCallId: ToolCallId): Promise<{ messageId: MessageId }> {
    const call = await this.parts.storage.messages.toolCall(this.id, toolCallId)
    if (!call) throw new HostError('not-found', 'This call no longer exists.')
    await this.showVersion(call.messageId)
    return { messageId: call.messageId }
  }

  /** A message of the person with a turn of its own. */
  async #composed(text: string, attachments: readonly Attachment[]): Promise<Message> {
    const attached = await this.counted(attachments)
    const [turnId, at] = [randomUUID() as TurnId, this.parts.clock.now()]
    return personMessage({ text, attached, turnId, at }, this.parts.storage.blobs)
  }

  /** A waiting message as it is sent now. */
  #beginningOf(message: Message): ReturnType<typeof beginningWith> {
    const { turn, events } = beginningWith({ ...message, at: this.parts.clock.now() })
    return { turn, events: [...events, this.queue.without(message.id)] }
  }

  #withoutWaiting(): readonly ConversationEvent[] {
    return this.waiting.length > 0 ? [{ type: 'attachments.changed', attachments: [] }] : []
  }

  /** The head when a message is added: a new one takes it out of the archive. */
  #answered(): ConversationHead {
    const { archived: _archived, ...head } = this.head
    return { ...head, updatedAt: this.parts.clock.now() }
  }

  /** Ends the turn for a message that does not wait for the reply: after the calls that run, and at once without any. */
  #leave(): void {
    const running = this.#running
    if (!running) return
    running.goesOn = true
    if (!running.run.leave()) running.controller.abort(new StoppedByPerson())
  }

  /** The waiting message that is sent at the end of this turn. */
  async #next(turn: Turn): Promise<Message | undefined> {
    const [first] = this.queued
    const goesOn = this.#running?.goesOn
    if (!first || goesOn === false || this.#removed || this.parts.lifetime.ended) return undefined
    if (goesOn) return first
    const { toolCalls } = await this.transcript()
    return whyHeld(
      turn,
      [...toolCalls.values()].map((one) => one.toolCall),
    ) === undefined
      ? first
      : undefined
  }

  #checkOpen(): void {
    if (this.parts.lifetime.ended) throw new HostError('unavailable', 'Parley is closing.')
  }

  /** Stops its turn and hides it. */
  async remove(): Promise<void> {
    await this.cancel()
    this.undo.withdraw()
    await this.background.stop()
    this.background.seen()
    await this.exclusively(async () => {
      await this.parts.storage.conversations.setRemoved(this.id, true)
      this.#removed = true
    })
    this.attachments.unfollow()
    this.parts.topics.gone(`conversation/${this.id}`)
  }

  /** False when it was not hidden. */
  restore(): Promise<boolean> {
    return this.journal.run(async () => {
      if (!this.#removed) return false
      await this.parts.storage.conversations.setRemoved(this.id, false)
      this.#removed = false
      return true
    })
  }

  /** Starts a turn, which stops after so many tokens. Only within `begin`. `resumed` are calls of an interrupted turn that had not started. */
  start(turn: Turn, resumed: readonly ProposedCall[] = [], tokens?: number): void {
    if (this.parts.lifetime.ended) return
    this.undo.withdraw()
    const { interrupted: _interrupted, ...head } = this.#head
    this.#head = head
    const lifetime = new Lifetime(`turn ${turn.id}`, this.parts.lifetime)
    const { title, model } = this.head
    const controller = new AbortController()
    const signal = AbortSignal.any([lifetime.signal, controller.signal])
    const onLeft = (call: ProposedCall) => this.background.follow(call)
    const origin = { conversation: this, conversationId: this.id, title, model }
    const run = new TurnRun({ ...this.parts, ...origin, signal, tokens, onLeft }, turn)
    const ended = run.run(resumed).then(() => this.#ended(run))
    this.#running = { run, controller, ended }
    lifetime.onEnd(() => ended)
    void ended.then(() => lifetime.end())
    this.showHead()
  }

  async retry(tokens?: number): Promise<void> {
    // The turn waits for its own calls again.
    await this.background.leave()
    try {
      await this.begin(async (write) => {
        // ProposedCall events of the last turn are written before it is read.
        await write({})
        const { messages, blobs } = this.parts.storage
        const last = await messages.latestTurn(this.id)
        const { turn, events, calls } = await resumeTurn(last, await this.transcript(), blobs)
        await write({ events })
        this.start(turn, calls, tokens)
      })
    } finally {
      await this.background.resume()
    }
  }

  /** Begins a turn in which the model reads a result that came after its reply (TASK-32). */
  async giveResult(toolCallId: ToolCallId): Promise<void> {
    await this.begin(async (write) => {
      await write({})
      const { toolCall } = (await this.transcript()).toolCalls.get(toolCallId) ?? {}
      if (!toolCall?.task || toolCall.status !== 'finished') throw new HostError('conflict', 'There is no result to give.')
      await this.say(write, `The result of “${cut(toolCall.title ?? toolCall.tool, 80)}” is there now.`, { kept: [] })
    })
  }

  /** Stops the turn for the person, or at their `limit`, and holds what waits; resolves when it has ended and is saved. */
  async cancel(limit?: Problem): Promise<void> {
    // A turn may be about to begin.
    if (!this.#running) await this.journal.run(async () => {})
    const running = this.#running
    if (!running) return
    running.goesOn = false
    running.controller.abort(new StoppedByPerson(limit))
    await running.ended
  }

  skipServers(): void {
    this.#running?.run.skipServers()
  }

  cancelCall(toolCallId: ToolCallId): void {
    if (this.#running?.run.has(toolCallId)) this.#running.run.cancelCall(toolCallId)
    else this.background.cancel(toolCallId)
  }

  /** Lets the turn go on without the result of a call that its server runs in the background. */
  leaveCall(toolCallId: ToolCallId): void {
    if (!this.#running) throw new HostError('not-found', 'This call has already ended.')
    this.#running.run.leaveCall(toolCallId)
  }

  showHead(): void {
    this.parts.state.emit({ type: 'conversation.changed', head: this.head })
  }

  /** Saves the end before it shows it, since a message may be sent as soon as it is shown. The next waiting message is part of the change. */
  async #ended({ turn }: TurnRun): Promise<void> {
    const event: ConversationEvent = { type: 'turn.changed', turn }
    await this.journal.run(async () => {
      try {
        const waiting = await this.#next(turn)
        const next = waiting && this.#beginningOf(waiting)
        const interrupted = turn.status === 'interrupted' && { interrupted: true }
        const head = next ? this.#answered() : { ...this.head, ...interrupted, updatedAt: this.parts.clock.now() }
        await this.#write({ head, events: [event, ...(next?.events ?? [])] }, () => {
          this.#running = undefined
          if (next) this.start(next.turn)
        })
      } catch (error) {
        this.#running = undefined
        this.#cannotWrite(error)
        // The end is written later but shown at once, so that no window shows a turn that no longer runs.
        this.journal.push(event)
        this.#show([event])
        this.showHead()
      }
    })
    if (turn.status === 'finished') this.parts.onFinished.fire(this.id)
  }

  async #write({ head: wanted, events = [], place, hideFrom, show }: Change, kept: () => void = () => {}): Promise<void> {
    const { conversations } = this.parts.storage
    // Not awaited: a server may take long to answer.
    if (hideFrom) void this.background.stop(await this.#from(hideFrom))
    await this.journal.write(async () => {
      if (!wanted && events.length === 0 && !place && !show) return []
      const { overdue: _overdue, ...head } = wanted ?? this.#head
      // The running state is never saved, since no turn outlives the host.
      const change = {
        ...(wanted && { head: { ...this.#withoutGone(head), turn: 'idle' as const } }),
        ...(place && { state: { place } }),
        ...defined({ hideFrom, show }),
      }
      const placed = await conversations.change({ id: this.id, events, ...change })
      if (placed) this.#head = placed
      this.#state = events.reduce(afterEvent, { ...this.#state, ...(place && { place }) })
      kept()
      return hideFrom || show ? this.#replaced() : events
    })
    if (wanted) this.showHead()
  }

  async #from(id: MessageId): Promise<ReadonlySet<MessageId>> {
    const ids = (await this.transcript()).messages.map(({ message }) => message.id)
    return new Set(ids.slice(ids.indexOf(id)))
  }

  /** Consent, attachments and windows follow the messages that are shown now. */
  async #replaced(): Promise<readonly ConversationEvent[]> {
    this.reading.forget()
    this.attachments.unfollow()
    if (!this.#topic) return []
    const topic = await this.parts.storage.conversations.open(this.id, TOPIC_MESSAGES)
    if (!topic) return []
    this.attachments.follow(topic)
    return [{ type: 'topic.replaced', topic: withinBytes(topic) }]
  }

  #show(events: readonly ConversationEvent[]): void {
    for (const event of events) {
      if (this.#topic) this.#topic = applyTopicEvent(this.#topic, event)
      this.parts.topics.emit(`conversation/${this.id}`, event)
    }
  }

  /** Drops a project that was removed while the head was being changed. */
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
  if (event.type === 'queue.changed') return { ...state, queue: event.queue }
  return state
}

export const gone = (): HostError => new HostError('not-found', 'This conversation no longer exists.')
