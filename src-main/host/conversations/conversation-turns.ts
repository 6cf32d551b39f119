import { Emitter } from '../../../src-shared/base/emitter.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { ConversationHead, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'
import { StoppedByPerson } from '../core/call-endings.ts'
import type { HostCore } from '../core/host-core.ts'
import { asked } from '../core/host-errors.ts'
import type { Providers } from '../models/providers.ts'
import type { Projects } from '../projects/projects.ts'
import type { ConversationJournal } from './conversation-journal.ts'
import { readArguments } from './model-history.ts'
import type { Pending } from './running-call.ts'
import type { ToolCalls } from './tool-calls.ts'
import { TurnRun } from './turn.ts'

interface ConversationTurnsParts extends Pick<HostCore, 'storage' | 'state' | 'clock' | 'lifetime'> {
  readonly providers: Providers
  readonly calls: ToolCalls
  readonly projects: Projects
  readonly journal: ConversationJournal
  /** After all changes of it that are under way. */
  readonly head: (id: ConversationId) => Promise<ConversationHead>
  /** With `events` in one transaction; `kept` hears of it before both are shown. */
  readonly changeHead: (
    id: ConversationId,
    change: (head: ConversationHead) => ConversationHead,
    events: readonly ConversationEvent[],
    kept: () => void,
  ) => Promise<ConversationHead>
  readonly show: (id: ConversationId, events: readonly ConversationEvent[]) => void
}

interface Running {
  readonly run: TurnRun
  readonly controller: AbortController
  readonly ended: Promise<void>
}

/** The turn that runs in each conversation, if one does: begun one at a time, gone on with, stopped, and kept to its end. */
export class ConversationTurns {
  /** One came to its end by itself. */
  readonly onFinished = new Emitter<ConversationId>()
  readonly #parts: ConversationTurnsParts
  readonly #running = new Map<ConversationId, Running>()
  /** Between the first await of a request that begins a turn and the turn itself. */
  readonly #beginning = new Map<ConversationId, Promise<unknown>>()

  constructor(parts: ConversationTurnsParts) {
    this.#parts = parts
  }

  /** One beginning at a time, and none while a turn runs. */
  async begin<T>(id: ConversationId, run: (head: ConversationHead) => Promise<T>): Promise<T> {
    if (this.#parts.lifetime.ended) throw new HostError('unavailable', 'Parley is closing.')
    if (this.#beginning.has(id) || this.#running.has(id)) {
      throw new HostError('conflict', 'The model is still at work here. Stop it first.')
    }
    const begun = this.#parts.head(id).then(run)
    this.#beginning.set(id, begun)
    try {
      return await begun
    } finally {
      this.#beginning.delete(id)
    }
  }

  /** Only within `begin`. `resumed` are calls of an interrupted turn that had not started. */
  start(head: ConversationHead, turn: Turn, resumed: readonly Pending[]): void {
    const { id } = head
    if (this.#parts.lifetime.ended) return
    const { state } = this.#parts
    const lifetime = new Lifetime(`turn ${turn.id}`, this.#parts.lifetime)
    const controller = new AbortController()
    const run = new TurnRun(
      {
        ...this.#parts,
        conversationId: id,
        title: head.title,
        model: head.model,
        onOverdue: () => void this.#showHead(id),
        signal: AbortSignal.any([lifetime.signal, controller.signal]),
      },
      turn,
    )
    const ended = run.run(resumed).then(() => this.#ended(id, run))
    this.#running.set(id, { run, controller, ended })
    lifetime.onEnd(() => ended)
    void ended.then(() => lifetime.end())
    state.emit({ type: 'conversation.changed', head: this.onHead(head) })
  }

  /** Resumes a turn that did not finish; calls that had not started when the host ended are asked about again. */
  async retry(id: ConversationId): Promise<void> {
    await this.begin(id, async (head) => {
      await asked(this.#parts.journal.flush(id))
      const last = await asked(this.#parts.storage.conversations.latestTurn(id))
      if (!last || last.status === 'finished' || last.status === 'running') {
        throw new HostError('conflict', 'There is nothing to go on with here.')
      }
      const { problem: _problem, finishedAt: _finishedAt, waiting: _waiting, ...kept } = last
      const turn: Turn = { ...kept, status: 'running' }
      const { messages, toolCalls } = await asked(this.#parts.storage.conversations.transcript(id))
      const latest = messages.at(-1)?.message
      const events: ConversationEvent[] = [{ type: 'turn.changed', turn }]
      if (latest?.role === 'assistant' && latest.status === 'failed' && latest.parts.length === 0) {
        events.push({ type: 'message.removed', id: latest.id })
      }
      const resumed: Pending[] = []
      if (latest?.role === 'assistant' && latest.status === 'done') {
        for (const { toolCall } of toolCalls.values()) {
          if (toolCall.messageId !== latest.id || toolCall.status !== 'interrupted' || !canGoOn(toolCall)) continue
          const proposed = proposedAgain(toolCall)
          events.push({ type: 'toolCall.changed', toolCall: proposed })
          resumed.push({
            toolCall: proposed,
            args: await readArguments(toolCall.arguments, { blobs: this.#parts.storage.blobs }),
          })
        }
      }
      await asked(this.#parts.journal.write(id, events))
      this.start(head, turn, resumed)
    })
  }

  /** The person stops it; resolves when everything of it has ended and is kept. */
  async cancel(id: ConversationId): Promise<void> {
    await this.#beginning.get(id)?.catch(() => {}) // Reported to the caller that began it.
    const running = this.#running.get(id)
    running?.controller.abort(new StoppedByPerson())
    await running?.ended
  }

  /** Ends it, because it cannot go on. */
  abort(id: ConversationId, reason: Error): void {
    this.#running.get(id)?.controller.abort(reason)
  }

  /** Stops one call; the turn goes on. */
  cancelCall(id: ConversationId, toolCallId: ToolCallId): void {
    const running = this.#running.get(id)
    if (!running) throw new HostError('not-found', 'This call has ended already.')
    running.run.cancelCall(toolCallId)
  }

  /** The head as it is shown: whether a turn runs, and whether a call of it waits for a word of the person. */
  onHead(head: ConversationHead): ConversationHead {
    const { overdue: _before, ...kept } = head
    const running = this.#running.get(head.id)
    return { ...kept, turn: running ? 'running' : 'idle', ...(running?.run.overdue && { overdue: true }) }
  }

  async #showHead(id: ConversationId): Promise<void> {
    const head = await this.#parts.head(id).catch(() => undefined) // It was removed meanwhile, or stays as it was shown.
    if (head) this.#parts.state.emit({ type: 'conversation.changed', head: this.onHead(head) })
  }

  /** Keeps that it ended, then lets it go, then tells: a message may be sent as soon as it is told. */
  async #ended(id: ConversationId, { turn }: TurnRun): Promise<void> {
    const event: ConversationEvent = { type: 'turn.changed', turn }
    const letGo = () => void this.#running.delete(id)
    try {
      await this.#parts.changeHead(id, (head) => ({ ...head, updatedAt: this.#parts.clock.now() }), [event], letGo)
    } catch {
      letGo()
      // It is written when that can be, and told at once: a window that shows it running would lie.
      this.#parts.journal.push({ conversationId: id, event })
      this.#parts.show(id, [event])
      await this.#showHead(id)
    }
    if (turn.status === 'finished') this.onFinished.fire(id)
  }
}

/** Nothing of it ran, or its server was done with it and waited for an answer: with that it would have been made again. */
const canGoOn = ({ startedAt, paused }: ToolCall) => startedAt === undefined || paused === true

function proposedAgain(toolCall: ToolCall): ToolCall {
  const { problem: _problem, finishedAt: _finishedAt, startedAt: _startedAt, paused: _paused, ...kept } = toolCall
  return { ...kept, status: 'proposed' }
}
