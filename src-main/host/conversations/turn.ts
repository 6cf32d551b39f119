import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import { orAborted } from '../../../src-shared/base/or-aborted.ts'
import type { Message, ModelRetry, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, MessageId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { ModelRef, ToolSwitches } from '../../../src-shared/contract/settings.ts'
import { type ConversationEvent, growMessage } from '../../../src-shared/contract/topics.ts'
import { type ModelContent, ModelError, type ModelMessage, type OfferedTool } from '../../models/model-provider.ts'
import { StorageError } from '../../storage/base/storage.ts'
import type { ConversationReading } from '../consent/readings.ts'
import { aborted, StoppedByPerson, switchedOff } from '../core/call-endings.ts'
import type { HostCore } from '../core/host-core.ts'
import { guardedStream, modelProblem } from '../models/model-stream.ts'
import type { OpenModel, Providers } from '../models/providers.ts'
import { documentsWithin } from '../models/sent-documents.ts'
import type { NamedTool } from '../offerings/named-tools.ts'
import type { ProjectGuidance } from '../projects/projects.ts'
import { BuiltInTools } from './built-in-tools.ts'
import { storageProblem } from './call-failures.ts'
import type { ConversationJournal } from './conversation-journal.ts'
import { modelHistory, projectFiles, type Transcript } from './model-history.ts'
import { Repeats, repeating } from './repeats.ts'
import type { RoundCalls } from './round-calls.ts'
import type { Pending } from './running-call.ts'
import { boundedMessage } from './said-message.ts'
import { systemPrompt } from './system-prompt.ts'
import type { ToolCalls } from './tool-calls.ts'
import { mustSearch } from './tool-discovery.ts'
import { switchedOn, switchOf } from './tool-switches.ts'
import { roundLimit, stopProblem } from './turn-problems.ts'

/** The conversation as its turn sees it. */
interface TurnConversation {
  readonly journal: ConversationJournal
  readonly reading: Pick<ConversationReading, 'update'>
  readonly guidance: ProjectGuidance | undefined
  readonly allSwitches: ToolSwitches
  /** A call has become overdue, or is no longer. */
  showHead(): void
}

interface TurnParts extends Pick<HostCore, 'storage' | 'clock' | 'state'> {
  readonly conversation: TurnConversation
  readonly conversationId: ConversationId
  readonly title: string
  readonly model: ModelRef
  readonly providers: Providers
  readonly calls: ToolCalls
  readonly signal: AbortSignal
}

/** The loop of one user message: the model speaks, its calls run, it hears the results, until it has nothing more to call. */
export class TurnRun {
  readonly #parts: TurnParts
  #turn: Turn
  /** As it is when the turn begins: what is edited meanwhile is heard in the next one. */
  readonly #system: string
  readonly #project: ProjectGuidance | undefined
  /** Its files, read once. */
  #ahead: readonly ModelContent[] | undefined
  readonly #roundLimit: number
  readonly #endRound: number
  readonly #calls: RoundCalls
  readonly #told = new Map<MessageId, readonly ModelMessage[]>()
  readonly #repeats = new Repeats()
  readonly #builtIns: BuiltInTools
  #overdue = false
  /** Everything that could be offered in this round. */
  #offerable: readonly OfferedTool[] = []

  constructor(parts: TurnParts, turn: Turn) {
    this.#parts = parts
    const { conversation, conversationId, storage } = parts
    this.#project = conversation.guidance
    this.#system = systemPrompt(parts.state.snapshot.settings.instructions, this.#project)
    this.#builtIns = new BuiltInTools({ conversationId, storage, offerable: () => this.#offerable })
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

  /** As it was last pushed to the journal; its end is not pushed, but kept by the one who runs it. */
  get turn(): Turn {
    return this.#turn
  }

  /** A call of it is past its deadline. */
  get overdue(): boolean {
    return this.#overdue
  }

  /** Runs to its end, whatever that is; never rejects. `resumed` are calls of an interrupted turn that had not started. */
  async run(resumed: readonly Pending[] = []): Promise<void> {
    try {
      const [model] = await Promise.all([this.#parts.providers.open(this.#parts.model), this.#parts.calls.freshen()])
      if (resumed.length > 0) {
        const { conversationId, storage } = this.#parts
        await this.#look(await storage.conversations.transcript(conversationId))
        await this.#calls.run(this.#stillOn(resumed))
      }
      for (;;) {
        this.#parts.signal.throwIfAborted()
        if (this.#turn.round >= this.#endRound) return this.#end('stopped', roundLimit(this.#roundLimit))
        const calls = await this.#round(model)
        if (calls.length === 0) return await this.#finish()
        const circling = calls.find((call) => this.#repeats.isLooping(call))
        if (circling) return this.#giveUp(calls, repeating(circling.toolCall.tool))
        await this.#calls.run(calls)
      }
    } catch (error) {
      const { status, problem } = this.#endOf(error)
      const { model, providers } = this.#parts
      if (error instanceof ModelError && error.window !== undefined)
        // A disk that refuses this loses a hint; the turn ends with its own problem.
        await providers.learnWindow(model, error.window).catch(() => {})
      this.#end(status, problem)
    } finally {
      // Its rules hold for a turn that is over, and so for nothing.
      await this.#parts.calls.endTurn(this.#turn.id).catch(() => {})
    }
  }

  /** The messages are on disk before the turn is called finished. */
  async #finish(): Promise<void> {
    await this.#parts.conversation.journal.flush()
    this.#parts.signal.throwIfAborted()
    this.#end('finished')
  }

  /** Stops one call; the turn goes on and the model is told. */
  cancelCall(id: ToolCallId): void {
    this.#calls.cancel(id)
  }

  /** One reply of the model, streamed into a message. Returns the calls it wants. */
  async #round(model: OpenModel): Promise<Pending[]> {
    const { clock, storage, conversation, conversationId, signal } = this.#parts
    let message: Message = {
      id: randomUUID() as MessageId,
      turnId: this.#turn.id,
      role: 'assistant',
      at: clock.now(),
      parts: [],
      status: 'streaming',
      model: this.#parts.model,
    }
    this.#push({ type: 'message.added', message })
    this.#changeTurn({ round: this.#turn.round + 1, waiting: { on: 'model', since: clock.now() } })
    const pending: Pending[] = []
    try {
      await conversation.journal.flush()
      const transcript = await storage.conversations.transcript(conversationId)
      await this.#look(transcript)
      const { shortened } = this.#builtIns
      const fitImage = model.vision ? model.fitImage : undefined
      const documents = model.documents ? documentsWithin(transcript.messages, this.#project?.files) : undefined
      const reader = { blobs: storage.blobs, fitImage, documents, shortened }
      this.#ahead ??= await orAborted(projectFiles(this.#project, reader), signal)
      const messages = await orAborted(modelHistory(transcript, this.#parts.model, reader, this.#told, this.#ahead), signal)
      this.#builtIns.remember(transcript.toolCalls.values())
      const switches = conversation.allSwitches
      const offer = this.#parts.calls.offer((all) => this.#choose(all, switches, model))
      const request = {
        ...{ model: this.#parts.model.model, system: this.#system, messages, tools: offer.tools },
        ...(model.effort && { effort: model.effort }),
      }
      const onRetry = (retry: ModelRetry | undefined) =>
        this.#changeTurn({ waiting: { on: 'model', since: clock.now(), ...(retry && { retry }) } })
      for await (const delta of guardedStream(model.provider, request, signal, clock, onRetry)) {
        if (this.#turn.waiting) this.#changeTurn({ waiting: undefined })
        switch (delta.type) {
          case 'text':
          case 'thinking':
            message = growMessage(message, delta.type, delta.text)
            this.#push({ type: 'message.grew', id: message.id, part: delta.type, text: delta.text })
            break
          case 'tool-call-started':
            break
          case 'tool-call': {
            const { toolCall, extras } = await this.#parts.calls.propose(delta.call, offer, {
              turnId: this.#turn.id,
              messageId: message.id,
            })
            pending.push({ toolCall, args: delta.call.arguments })
            this.#push({ type: 'toolCall.changed', toolCall }, { ...extras })
            message = { ...message, parts: [...message.parts, { type: 'tool-call', toolCallId: toolCall.id }] }
            this.#push({ type: 'message.changed', message: await boundedMessage(message, storage.blobs) })
            break
          }
          case 'done': {
            const problem = stopProblem(delta.stopReason)
            message = {
              ...message,
              status: 'done',
              model: { provider: this.#parts.model.provider, model: this.#parts.model.model },
              ...(delta.usage && { usage: delta.usage }),
              ...(problem && { problem }),
            }
            const extras = delta.providerState && { providerState: delta.providerState }
            this.#push({ type: 'message.changed', message: await boundedMessage(message, storage.blobs) }, extras)
            break
          }
        }
      }
      return pending
    } catch (error) {
      const { status, problem } = this.#endOf(error)
      if (message.status === 'streaming') {
        const ended: Message = { ...message, status, ...(status === 'failed' && problem && { problem }) }
        // When even the blobs folder refuses, the text is kept whole: it is not shown before it is written.
        this.#push({ type: 'message.changed', message: await boundedMessage(ended, storage.blobs).catch(() => ended) })
      }
      this.#cancelPending(pending, problem ?? { code: 'not-made', what: 'The reply ended before this call was made.' })
      throw error
    }
  }

  /** The messages that calls are judged by: all that the model is told, the project's files as attachments of a message before the first. */
  #look(transcript: Transcript): Promise<void> {
    const files = this.#project?.files ?? []
    const first: Message = {
      id: `files ${files.map(({ id }) => id)}` as MessageId,
      ...{ turnId: this.#turn.id, role: 'user', at: 0, status: 'done' },
      parts: files.map((file) => ({ type: 'file', ...file })),
    }
    const messages = files.length > 0 ? [{ message: first }, ...transcript.messages] : transcript.messages
    return this.#parts.conversation.reading.update({ ...transcript, messages })
  }

  /** Those whose tool was not switched off since they were proposed; the others end. */
  #stillOn(resumed: readonly Pending[]): readonly Pending[] {
    const switches = this.#parts.conversation.allSwitches
    const isOn = ({ serverId, tool }: ToolCall) => serverId === undefined || switchOf(switches, serverId, tool) === 'offered'
    for (const { toolCall } of resumed) {
      if (isOn(toolCall)) continue
      const ended = { status: 'failed' as const, problem: switchedOff(toolCall), finishedAt: this.#parts.clock.now() }
      this.#push({ type: 'toolCall.changed', toolCall: { ...toolCall, ...ended } })
    }
    return resumed.filter(({ toolCall }) => isOn(toolCall))
  }

  /** Without what is switched off here; a search instead of all definitions where those are too many for the model. */
  #choose(all: readonly NamedTool[], switches: ToolSwitches, model: OpenModel): readonly OfferedTool[] {
    this.#offerable = switchedOn(all, switches).map(({ offered }) => offered)
    const { toolShare } = this.#parts.state.snapshot.settings
    return this.#builtIns.offered(this.#offerable, mustSearch(this.#offerable, model, toolShare))
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

  #giveUp(calls: readonly Pending[], problem: Problem): void {
    this.#cancelPending(calls, problem)
    this.#end('stopped', problem)
  }

  #cancelPending(calls: readonly Pending[], problem: Problem): void {
    const ended = this.#parts.signal.aborted
      ? aborted(this.#parts.signal.reason, false)
      : { status: 'cancelled' as const, problem }
    for (const { toolCall } of calls) {
      this.#push({ type: 'toolCall.changed', toolCall: { ...toolCall, ...ended, finishedAt: this.#parts.clock.now() } })
    }
  }

  #endOf(error: unknown): { status: 'stopped' | 'failed' | 'interrupted'; problem?: Problem } {
    const { signal } = this.#parts
    const cause = signal.aborted ? signal.reason : error
    if (cause instanceof StoppedByPerson) return { status: 'stopped' }
    if (cause instanceof StorageError) return { status: 'failed', problem: storageProblem(cause) }
    if (signal.aborted) return { status: 'interrupted' }
    const problem = modelProblem(error, this.#parts.clock.now())
    // The text so far stays part of the conversation, so that the model goes on from its end.
    return { status: problem.code === 'connection-lost' ? 'interrupted' : 'failed', problem }
  }

  #end(status: Turn['status'], problem?: Problem): void {
    const { waiting: _waiting, ...kept } = this.#turn
    this.#turn = { ...kept, status, finishedAt: this.#parts.clock.now(), ...(problem && { problem }) }
  }

  #changeTurn(change: { [K in keyof Turn]?: Turn[K] | undefined }): void {
    if (this.#turn.status !== 'running') return
    const changed = Object.fromEntries(Object.entries({ ...this.#turn, ...change }).filter(([, value]) => value !== undefined))
    // Only optional members are ever set to undefined, and those are left out.
    this.#turn = changed as unknown as Turn
    this.#push({ type: 'turn.changed', turn: this.#turn })
  }

  #push(event: ConversationEvent, extras?: JsonObject): void {
    this.#parts.conversation.journal.push(event, extras)
  }
}
