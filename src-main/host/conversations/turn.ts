import { randomUUID } from 'node:crypto'
import { type Changes, changed } from '../../../src-shared/base/changed.ts'
import { timeLimit } from '../../../src-shared/base/clock.ts'
import { defined } from '../../../src-shared/base/defined.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import { orAborted } from '../../../src-shared/base/or-aborted.ts'
import type { Message, ModelRetry, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, MessageId, ServerId, ToolCallId, TurnId } from '../../../src-shared/contract/ids.ts'
import type { ModelRef, ToolSwitches } from '../../../src-shared/contract/settings.ts'
import { type ConversationEvent, growMessage } from '../../../src-shared/contract/topics.ts'
import {
  type ModelContent,
  type ModelDelta,
  ModelError,
  type ModelMessage,
  type ModelRequest,
  type OfferedTool,
} from '../../models/model-provider.ts'
import { StorageError, type Transcript } from '../../storage/base/storage.ts'
import type { ConversationReading } from '../consent/readings.ts'
import { abortedCall, StoppedByPerson, switchedOff } from '../core/call-endings.ts'
import type { HostCore } from '../core/host-core.ts'
import { guardedStream, modelProblem } from '../models/model-stream.ts'
import type { OpenModel, Providers } from '../models/providers.ts'
import { documentsWithin } from '../models/sent-documents.ts'
import type { NamedTool } from '../offerings/named-tools.ts'
import type { ProjectGuidance } from '../projects/projects.ts'
import type { Skills } from '../skills/skills.ts'
import { BuiltInTools } from './built-in-tools.ts'
import { storageProblem } from './call-failures.ts'
import type { ConversationJournal } from './conversation-journal.ts'
import { modelHistory, projectFiles } from './model-history.ts'
import { boundedMessage } from './person-message.ts'
import { Repeats, repeating } from './repeats.ts'
import type { RoundCalls } from './round-calls.ts'
import type { ProposedCall } from './running-call.ts'
import { systemPrompt } from './system-prompt.ts'
import type { ToolCalls, ToolOffer } from './tool-calls.ts'
import { mustSearch } from './tool-discovery.ts'
import { switchedOn, switchOf } from './tool-switches.ts'
import { roundLimit, stopProblem, tokenLimitReached } from './turn-problems.ts'

/** Milliseconds for which a turn waits for servers that are starting. */
const SERVERS_LIMIT = 30_000

/** Part of a conversation that its turn needs. */
interface TurnConversation {
  readonly journal: ConversationJournal
  readonly reading: Pick<ConversationReading, 'update'>
  readonly guidance: ProjectGuidance | undefined
  readonly allSwitches: ToolSwitches
  showHead(): void
}

interface TurnParts extends Pick<HostCore, 'storage' | 'clock' | 'state'> {
  readonly conversation: TurnConversation
  readonly conversationId: ConversationId
  readonly title: string
  readonly model: ModelRef
  readonly providers: Providers
  readonly calls: ToolCalls
  readonly skills: Skills
  readonly signal: AbortSignal
  /** Tokens of the whole turn, after which it stops. */
  readonly tokens?: number | undefined
  readonly onLeft: (call: ProposedCall) => void
}

/** A reply of the model while it streams, with the calls in it. */
interface Reply {
  message: Message
  readonly calls: ProposedCall[]
}

/** Runs one turn: the model replies, its calls run, and it gets their results, until a reply has no calls. */
export class TurnRun {
  readonly #parts: TurnParts
  #turn: Turn
  /** Fixed for the turn; later edits apply to the next one. */
  readonly #system: string
  readonly #project: ProjectGuidance | undefined
  /** The project's files, read once. */
  #ahead: readonly ModelContent[] | undefined
  readonly #roundLimit: number
  readonly #endRound: number
  readonly #calls: RoundCalls
  readonly #told = new Map<MessageId, readonly ModelMessage[]>()
  readonly #repeats = new Repeats()
  readonly #builtIns: BuiltInTools
  /** Tokens of its replies so far. */
  #used = 0
  readonly #skipped = new AbortController()
  #overdue = false
  #leaving = false
  /** The tools that are turned on in this round. */
  #offerable: readonly OfferedTool[] = []

  constructor(parts: TurnParts, turn: Turn) {
    this.#parts = parts
    const { conversation } = parts
    this.#project = conversation.guidance
    this.#system = systemPrompt(parts.state.snapshot.settings.instructions, this.#project)
    this.#builtIns = new BuiltInTools({ ...parts, offerable: () => this.#offerable, off: () => parts.calls.offServers() })
    this.#calls = parts.calls.rounds({
      ...parts,
      journal: conversation.journal,
      turnId: turn.id,
      builtIns: this.#builtIns,
      onChange: () => this.#callsChanged(),
    })
    this.#turn = turn
    this.#roundLimit = parts.state.snapshot.settings.roundLimit
    this.#endRound = turn.round + this.#roundLimit
  }

  /** As last pushed to the journal. The end is not pushed; the conversation saves it. */
  get turn(): Turn {
    return this.#turn
  }

  /** True if a call is past its deadline. */
  get overdue(): boolean {
    return this.#overdue
  }

  /** Never rejects. `resumed` are calls of an interrupted turn that had not started. */
  async run(resumed: readonly ProposedCall[] = []): Promise<void> {
    try {
      const { calls, conversation, conversationId, providers, storage, tokens } = this.#parts
      const [model] = await Promise.all([providers.open(this.#parts.model), calls.freshen(conversation.allSwitches)])
      await this.#serversSettled()
      if (tokens !== undefined) this.#used = tokensOf(await storage.messages.transcript(conversationId), this.#turn.id)
      if (resumed.length > 0) {
        await this.#updateReading(await storage.messages.transcript(conversationId))
        await this.#findSkills()
        await this.#calls.run(this.#stillOn(resumed))
      }
      for (;;) {
        this.#parts.signal.throwIfAborted()
        if (this.#leaving) return this.#end('stopped')
        if (this.#turn.round >= this.#endRound) return this.#end('stopped', roundLimit(this.#roundLimit))
        if (tokens !== undefined && this.#used >= tokens) return this.#end('stopped', tokenLimitReached(tokens))
        const calls = await this.#round(model)
        if (calls.length === 0) return await this.#finish()
        const looping = calls.find((call) => this.#repeats.isLooping(call))
        if (looping) return this.#giveUp(calls, repeating(looping.toolCall.tool))
        await this.#calls.run(calls)
      }
    } catch (error) {
      const { status, problem } = this.#endOf(error)
      const { model, providers } = this.#parts
      if (error instanceof ModelError && error.window !== undefined)
        // If this cannot be saved only a hint is lost, and the turn has its own problem to show.
        await providers.learnWindow(model, error.window).catch(() => {})
      this.#end(status, problem)
    } finally {
      // Rules that stay behind belong to a finished turn, so they never apply.
      await this.#parts.calls.endTurn(this.#turn.id).catch(() => {})
    }
  }

  /** Waits for servers that are starting, until the person does not want to, or SERVERS_LIMIT. */
  async #serversSettled(): Promise<void> {
    const { calls, clock, conversation, signal } = this.#parts
    using limit = timeLimit(clock, SERVERS_LIMIT, undefined, signal, this.#skipped.signal)
    const onWait = (servers: readonly ServerId[]) => this.#changeTurn({ waiting: { on: 'servers', since: clock.now(), servers } })
    try {
      await calls.settled(conversation.allSwitches, limit.signal, onWait)
    } catch (error) {
      if (!limit.signal.aborted) throw error
    }
    signal.throwIfAborted()
  }

  /** Goes on without the servers that it waits for. */
  skipServers(): void {
    this.#skipped.abort()
  }

  /** Saves the messages before the turn counts as finished. */
  async #finish(): Promise<void> {
    await this.#parts.conversation.journal.flush()
    this.#parts.signal.throwIfAborted()
    this.#end('finished')
  }

  /** True if the call has not ended. */
  has(id: ToolCallId): boolean {
    return this.#calls.has(id)
  }

  /** Ends the turn after the calls that run, without those that have not begun. False while there are no calls. */
  leave(): boolean {
    if (this.#calls.waitingOn === undefined) return false
    this.#leaving = true
    this.#calls.cancelUnstarted()
    return true
  }

  cancelCall(id: ToolCallId): void {
    this.#calls.cancel(id)
  }

  leaveCall(id: ToolCallId): void {
    this.#calls.leave(id)
  }

  /** Streams one reply of the model into a message, and returns its calls. */
  async #round(model: OpenModel): Promise<ProposedCall[]> {
    const { clock, signal } = this.#parts
    const reply = this.#beginReply()
    try {
      const { request, offer } = await this.#request(model)
      const onRetry = (retry: ModelRetry | undefined) =>
        this.#changeTurn({ waiting: { on: 'model', since: clock.now(), ...(retry && { retry }) } })
      for await (const delta of guardedStream(model.provider, request, signal, clock, onRetry)) {
        if (this.#turn.waiting) this.#changeTurn({ waiting: undefined })
        await this.#take(delta, reply, offer)
      }
      return reply.calls
    } catch (error) {
      await this.#breakOff(reply, error)
      throw error
    }
  }

  #beginReply(): Reply {
    const { clock, model } = this.#parts
    const message: Message = {
      id: randomUUID() as MessageId,
      turnId: this.#turn.id,
      role: 'assistant',
      at: clock.now(),
      parts: [],
      status: 'streaming',
      model,
    }
    this.#push({ type: 'message.added', message })
    this.#changeTurn({ round: this.#turn.round + 1, waiting: { on: 'model', since: clock.now() } })
    return { message, calls: [] }
  }

  /** The conversation for the model, with the tools that it may call. */
  async #request(model: OpenModel): Promise<{ request: ModelRequest; offer: ToolOffer }> {
    const { storage, conversation, conversationId, calls, signal, model: ref } = this.#parts
    await conversation.journal.flush()
    const transcript = await storage.messages.transcript(conversationId)
    await this.#updateReading(transcript)
    const { shortened } = this.#builtIns
    const fitImage = model.vision ? model.fitImage : undefined
    const documents = model.documents ? documentsWithin(transcript.messages, this.#project?.files) : undefined
    const reader = { blobs: storage.blobs, fitImage, documents, shortened }
    this.#ahead ??= await orAborted(projectFiles(this.#project, reader), signal)
    const messages = await orAborted(modelHistory(transcript, ref, reader, this.#told, this.#ahead), signal)
    this.#builtIns.remember(transcript.toolCalls.values())
    await this.#findSkills()
    const offer = calls.offer((all) => this.#choose(all, conversation.allSwitches, model))
    const { effort } = model
    return { request: { model: ref.model, system: this.#system, messages, tools: offer.tools, ...(effort && { effort }) }, offer }
  }

  #findSkills(): Promise<void> {
    const { conversation, signal } = this.#parts
    return orAborted(this.#builtIns.setSkills(conversation.allSwitches.skills), signal)
  }

  async #take(delta: ModelDelta, reply: Reply, offer: ToolOffer): Promise<void> {
    const { calls, model, storage } = this.#parts
    switch (delta.type) {
      case 'text':
      case 'thinking':
        reply.message = growMessage(reply.message, delta.type, delta.text)
        this.#push({ type: 'message.grew', id: reply.message.id, part: delta.type, text: delta.text })
        return
      case 'tool-call-started':
        return
      case 'tool-call': {
        const { id: messageId, parts } = reply.message
        const { toolCall, extras } = await calls.propose(delta.call, offer, { turnId: this.#turn.id, messageId })
        reply.calls.push({ toolCall, args: delta.call.arguments, extras: { ...extras } })
        this.#push({ type: 'toolCall.changed', toolCall }, { ...extras })
        reply.message = { ...reply.message, parts: [...parts, { type: 'tool-call', toolCallId: toolCall.id }] }
        this.#push({ type: 'message.changed', message: await boundedMessage(reply.message, storage.blobs) })
        return
      }
      case 'done': {
        // After calls, a model may have nothing to add.
        const problem = stopProblem(delta.stopReason, this.#turn.round === 1 && reply.message.parts.length === 0)
        this.#used += (delta.usage?.input ?? 0) + (delta.usage?.output ?? 0)
        reply.message = {
          ...reply.message,
          status: 'done',
          model: { provider: model.provider, model: model.model },
          ...defined({ usage: delta.usage, problem }),
        }
        const extras = delta.providerState && { providerState: delta.providerState }
        this.#push({ type: 'message.changed', message: await boundedMessage(reply.message, storage.blobs) }, extras)
      }
    }
  }

  /** Ends a reply that failed or was stopped, and its calls, which are not made. */
  async #breakOff({ message, calls }: Reply, error: unknown): Promise<void> {
    const { status, problem } = this.#endOf(error)
    if (message.status === 'streaming') {
      const ended: Message = { ...message, status, ...(status === 'failed' && problem && { problem }) }
      // If the blobs folder fails too, the text stays whole; it is not shown before it is written.
      this.#push({ type: 'message.changed', message: await boundedMessage(ended, this.#parts.storage.blobs).catch(() => ended) })
    }
    this.#cancelPending(calls, problem ?? { code: 'not-made', what: 'The reply ended before this call was made.' })
  }

  /** Reads all that the model is told for consent, with the project's files as attachments of a message before the first. */
  #updateReading(transcript: Transcript): Promise<void> {
    const files = this.#project?.files ?? []
    const first: Message = {
      id: `files ${files.map(({ id }) => id)}` as MessageId,
      turnId: this.#turn.id,
      role: 'user',
      at: 0,
      status: 'done',
      parts: files.map((file) => ({ type: 'file', ...file })),
    }
    const messages = files.length > 0 ? [{ message: first }, ...transcript.messages] : transcript.messages
    return this.#parts.conversation.reading.update({ ...transcript, messages })
  }

  /** The calls whose tools are still turned on; the others fail. */
  #stillOn(resumed: readonly ProposedCall[]): readonly ProposedCall[] {
    const switches = this.#parts.conversation.allSwitches
    const isOn = ({ serverId, tool, received }: ToolCall) =>
      serverId === undefined || received !== undefined || switchOf(switches, serverId, tool) === 'offered'
    for (const { toolCall } of resumed) {
      if (isOn(toolCall)) continue
      const ended = { status: 'failed' as const, problem: switchedOff(toolCall), finishedAt: this.#parts.clock.now() }
      this.#push({ type: 'toolCall.changed', toolCall: { ...toolCall, ...ended } })
    }
    return resumed.filter(({ toolCall }) => isOn(toolCall))
  }

  /** The tools that are turned on, or the search when their definitions are too many for the model. */
  #choose(all: readonly NamedTool[], switches: ToolSwitches, model: OpenModel): readonly OfferedTool[] {
    this.#offerable = switchedOn(all, switches).map(({ offered }) => offered)
    const { toolShare } = this.#parts.state.snapshot.settings
    const searching = mustSearch([...this.#offerable, ...this.#builtIns.skillTools], model, toolShare)
    return this.#builtIns.offered(this.#offerable, searching)
  }

  #callsChanged(): void {
    const { overdue, waitingOn: on } = this.#calls
    if (overdue !== this.#overdue) {
      this.#overdue = overdue
      this.#parts.conversation.showHead()
    }
    if (on === this.#turn.waiting?.on) return
    this.#changeTurn({ waiting: on && { on, since: this.#parts.clock.now() } })
  }

  #giveUp(calls: readonly ProposedCall[], problem: Problem): void {
    this.#cancelPending(calls, problem)
    this.#end('stopped', problem)
  }

  #cancelPending(calls: readonly ProposedCall[], problem: Problem): void {
    const ended = this.#parts.signal.aborted
      ? abortedCall(this.#parts.signal.reason, false)
      : { status: 'cancelled' as const, problem }
    for (const { toolCall } of calls) {
      this.#push({ type: 'toolCall.changed', toolCall: { ...toolCall, ...ended, finishedAt: this.#parts.clock.now() } })
    }
  }

  #endOf(error: unknown): { status: 'stopped' | 'failed' | 'interrupted'; problem?: Problem } {
    const { signal } = this.#parts
    const cause = signal.aborted ? signal.reason : error
    if (cause instanceof StoppedByPerson) return { status: 'stopped', ...(cause.limit && { problem: cause.limit }) }
    if (cause instanceof StorageError) return { status: 'failed', problem: storageProblem(cause) }
    if (signal.aborted) return { status: 'interrupted' }
    const problem = modelProblem(error, this.#parts.clock.now())
    // An interrupted reply stays in the conversation, so that the model continues from its end.
    return { status: problem.code === 'connection-lost' ? 'interrupted' : 'failed', problem }
  }

  #end(status: Turn['status'], problem?: Problem): void {
    this.#turn = changed(this.#turn, { waiting: undefined, status, finishedAt: this.#parts.clock.now(), problem })
  }

  #changeTurn(changes: Changes<Turn>): void {
    if (this.#turn.status !== 'running') return
    this.#turn = changed(this.#turn, changes)
    this.#push({ type: 'turn.changed', turn: this.#turn })
  }

  #push(event: ConversationEvent, extras?: JsonObject): void {
    this.#parts.conversation.journal.push(event, extras)
  }
}

/** Tokens of all requests of a turn. */
export function tokensOf({ messages }: Transcript, turnId: TurnId): number {
  const usages = messages.flatMap(({ message }) => (message.turnId === turnId && message.usage ? message.usage : []))
  return usages.reduce((sum, { input, output }) => sum + input + output, 0)
}
