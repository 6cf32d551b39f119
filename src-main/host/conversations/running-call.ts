import { type Changes, changed } from '../../../src-shared/base/changed.ts'
import { isObject, type JsonObject } from '../../../src-shared/base/json.ts'
import type { BackgroundCall, ConversationHead, ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { TaskRef } from '../../client/task-run.ts'
import { LeftInBackground, StoppedByPerson } from '../core/call-endings.ts'
import { cut } from '../core/content-views.ts'

/** A task with the launch of its server: another launch must not get its id. */
export interface KeptTask extends TaskRef {
  readonly launchIdentity: string
}

/** The task in the extras of a stored call. */
export function callTask(extras: JsonObject | undefined): KeptTask | undefined {
  const task = extras?.task
  if (!isObject(task)) return undefined
  const { taskId, form, since, launchIdentity } = task
  if (typeof taskId !== 'string' || typeof since !== 'number' || typeof launchIdentity !== 'string') return undefined
  return form === 'session' || form === 'extension' ? { taskId, form, since, launchIdentity } : undefined
}

/** A call in a reply that has not been judged or made yet. */
export interface ProposedCall {
  readonly toolCall: ToolCall
  /** Absent when the model wrote no JSON object. */
  readonly args: JsonObject | undefined
  /** Data of the call for the host alone. */
  readonly extras?: JsonObject | undefined
  /** The task that runs it since before a restart. */
  readonly task?: KeptTask | undefined
}

interface RunningCallParts {
  readonly turn: AbortSignal
  /** Saves and shows the record. */
  readonly show: (toolCall: ToolCall, extras?: JsonObject) => void
  /** Resolves when everything shown so far is on disk. */
  readonly written: () => Promise<void>
}

/** One call of a round until it has ended. Each change of its record is saved and shown. */
export class RunningCall {
  readonly args: JsonObject | undefined
  readonly signal: AbortSignal
  readonly #parts: RunningCallParts
  readonly #controller = new AbortController()
  #extras: JsonObject | undefined
  #task: KeptTask | undefined
  #toolCall: ToolCall

  constructor({ toolCall, args, extras, task }: ProposedCall, parts: RunningCallParts) {
    this.#toolCall = toolCall
    this.#extras = extras
    this.args = args
    this.#task = task
    this.#parts = parts
    this.signal = AbortSignal.any([parts.turn, this.#controller.signal])
  }

  get task(): KeptTask | undefined {
    return this.#task
  }

  /** As something that others can go on with. */
  get proposed(): ProposedCall {
    return { toolCall: this.#toolCall, args: this.args, extras: this.#extras, task: this.#task }
  }

  get toolCall(): ToolCall {
    return this.#toolCall
  }

  show(changes: Changes<ToolCall>): void {
    this.#toolCall = changed(this.#toolCall, changes)
    this.#parts.show(this.#toolCall)
  }

  /** Like `show`; resolves when saved. */
  async keep(changes: Changes<ToolCall>): Promise<void> {
    this.show(changes)
    await this.#parts.written()
  }

  /** Saves how to find the task again, before it is shown as running (TASK-19). */
  async keepTask(task: KeptTask): Promise<void> {
    this.#toolCall = { ...this.#toolCall, task: this.#toolCall.task ?? {} }
    this.#task = task
    this.#extras = { ...this.#extras, task: { ...task } }
    this.#parts.show(this.#toolCall, this.#extras)
    await this.#parts.written()
  }

  /** Saved before the question opens, so that the question has its card. */
  asking(): Promise<void> {
    return this.keep({ status: 'asking' })
  }

  end(change: Pick<ToolCall, 'status'> & Parameters<RunningCall['show']>[0], at: number): void {
    const waits = change.status === 'interrupted' ? {} : { paused: undefined }
    this.show({ progress: undefined, cancelling: undefined, overdue: undefined, ...waits, ...change, finishedAt: at })
  }

  stop(): void {
    this.#controller.abort(new StoppedByPerson())
  }

  /** Ends waiting for the task of the call, which goes on. */
  leave(): void {
    this.#controller.abort(new LeftInBackground('It continues in the background.'))
  }
}

/** A call in the background as every window lists it. */
export function backgroundCall(toolCall: ToolCall, conversation: Pick<ConversationHead, 'id' | 'title'>): BackgroundCall {
  const { id, serverId, serverName, tool, title, startedAt, proposedAt, progress, task } = toolCall
  return {
    id,
    conversationId: conversation.id,
    title: conversation.title,
    ...(serverId !== undefined && { serverId }),
    serverName: cut(serverName ?? '', 200),
    tool: title ?? tool,
    since: startedAt ?? proposedAt,
    ...(task?.message !== undefined && { message: task.message }),
    ...(progress && { progress }),
  }
}
