import type { Lifetime } from '../../../src-shared/base/lifetime.ts'
import {
  type BackgroundCall,
  type ConversationHead,
  isOfModel,
  type ToolCall,
} from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { Transcript } from '../../storage/base/storage.ts'
import { StoppedByPerson } from '../core/call-endings.ts'
import { cut } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import type { ConversationJournal } from './conversation-journal.ts'
import type { RoundCalls } from './round-calls.ts'
import { backgroundCall, callTask, type ProposedCall } from './running-call.ts'
import type { ToolCalls } from './tool-calls.ts'

/** Part of a conversation that its background calls need. */
interface CallingConversation {
  readonly id: ConversationId
  readonly head: ConversationHead
  readonly followed: boolean
  readonly journal: ConversationJournal
  transcript(): Promise<Transcript>
}

interface BackgroundParts extends Pick<HostCore, 'state' | 'platform'> {
  readonly lifetime: Lifetime
  readonly calls: ToolCalls
}

interface Followed {
  readonly rounds: RoundCalls
  readonly messageId: ToolCall['messageId']
  readonly controller: AbortController
  readonly ended: Promise<void>
}

/** Calls of one conversation that their servers run as tasks while no turn waits for them: after a restart, or left by their turn. */
export class BackgroundCalls {
  readonly #conversation: CallingConversation
  readonly #parts: BackgroundParts
  readonly #followed = new Map<ToolCallId, Followed>()

  constructor(conversation: CallingConversation, parts: BackgroundParts) {
    this.#conversation = conversation
    this.#parts = parts
  }

  get busy(): boolean {
    return this.#followed.size > 0
  }

  /** Asks again about the calls that were interrupted. Nothing is called again (TASK-20, TASK-21). */
  async resume(): Promise<void> {
    await this.#conversation.journal.flush()
    const { toolCalls } = await this.#conversation.transcript()
    for (const { toolCall, extras } of toolCalls.values()) {
      const task = toolCall.status === 'interrupted' && toolCall.task && callTask(extras)
      if (task && isOfModel(toolCall)) this.follow({ toolCall, args: undefined, extras, task })
    }
  }

  /** Waits for the task of a call, whose record then gets the result. */
  follow(call: ProposedCall): void {
    const { id, turnId, messageId } = call.toolCall
    const { calls, lifetime } = this.#parts
    if (this.#followed.has(id) || lifetime.ended) return
    const controller = new AbortController()
    let last = call.toolCall
    const rounds = calls.rounds({
      conversationId: this.#conversation.id,
      turnId,
      title: this.#conversation.head.title,
      signal: AbortSignal.any([lifetime.signal, controller.signal]),
      journal: this.#conversation.journal,
      onCall: (now) => {
        last = now
      },
      onChange: () => {},
    })
    const ended = rounds
      .run([call])
      .catch(() => {}) // Aborted: the record says so.
      .then(() => this.#conversation.journal.flush())
      .then(() => {
        if (last.status === 'finished' || last.status === 'failed') this.#tell(last, last.status)
      })
      .catch(() => {}) // The disk is full, which the conversation says. The next start asks for the result again.
      .finally(() => this.#followed.delete(id))
    this.#followed.set(id, { rounds, messageId, controller, ended })
  }

  /** Stops waiting, so that a turn can. The servers go on. */
  async leave(): Promise<void> {
    const followed = [...this.#followed.values()]
    for (const { controller } of followed) controller.abort()
    await Promise.all(followed.map(({ ended }) => ended))
  }

  /** Stops a call for the person. Throws HostError `not-found`. */
  cancel(id: ToolCallId): void {
    const followed = this.#followed.get(id)
    if (!followed) throw new HostError('not-found', 'This call has already ended.')
    followed.rounds.cancel(id)
  }

  /** Stops those of some messages, or all. */
  async stop(messages?: ReadonlySet<ToolCall['messageId']>): Promise<void> {
    const stopped = [...this.#followed.values()].filter(({ messageId }) => messages?.has(messageId) ?? true)
    for (const { controller } of stopped) controller.abort(new StoppedByPerson())
    await Promise.all(stopped.map(({ ended }) => ended))
  }

  /** The person has seen what ended. */
  seen(): void {
    const { state } = this.#parts
    for (const { id, conversationId, ended } of state.snapshot.background) {
      if (ended && conversationId === this.#conversation.id) state.emit({ type: 'background.removed', id })
    }
  }

  /** Marks the call until a window shows its conversation, and notifies once (TASK-32). */
  #tell(toolCall: ToolCall, ended: NonNullable<BackgroundCall['ended']>): void {
    const { id, head, followed } = this.#conversation
    const { state, platform } = this.#parts
    const tool = cut(toolCall.title ?? toolCall.tool, 80)
    const title = ended === 'finished' ? `“${tool}” has finished` : `“${tool}” has failed`
    platform.notify?.({ title, body: head.title, about: { is: 'conversation', id } })
    if (!followed) state.emit({ type: 'background.changed', call: { ...backgroundCall(toolCall, head), ended } })
  }
}
