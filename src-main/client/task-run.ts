import { type Clock, delay, jittered } from '../../src-shared/base/clock.ts'
import type { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { CallToolResult } from '../../src-shared/mcp/content.ts'
import type { Session } from '../protocol/era.ts'
import type { RequestOptions } from '../protocol/peer/pending-request.ts'
import { TransportError } from '../protocol/peer/transport.ts'
import { ErrorCode, ProtocolError, RequestError, type RequestId } from '../protocol/shapes/json-rpc.ts'
import { isFinal, type Task } from '../protocol/task.ts'
import { RoundError } from './round-error.ts'
import { MAX_ROUNDS, MAX_UNANSWERED, type Rounds } from './rounds.ts'
import { newerTask } from './task-state.ts'

/** Enough to find a task again, even over another connection. */
export interface TaskRef {
  readonly taskId: string
  /** The era of its server. */
  readonly form: 'session' | 'extension'
  /** The time of the answer that created it, by our clock. */
  readonly since: number
}

export interface TaskNews extends Pick<Task, 'status' | 'statusMessage' | 'immediate'> {
  readonly ref: TaskRef
  /** The server was asked to stop it and has not confirmed. */
  readonly unconfirmed?: true
}

export interface TaskOptions {
  /** Called at each change. The first call is awaited, so that the task can be found again after a crash (TASK-19). */
  readonly onTask?: ((news: TaskNews) => void | Promise<void>) | undefined
  /** Continues this task instead of making the call. */
  readonly task?: TaskRef | undefined
  /** Runs the tool as a task even if it need not be one (TASK-3). */
  readonly asTask?: boolean | undefined
  /** Resolves once the person lets a task continue that has asked `times` questions (TASK-18). Rejects when aborted. */
  readonly mayAskOn?: ((times: number, signal: AbortSignal) => Promise<void>) | undefined
  /** Resolves once the person has signed in again; to false at once when the server needs no sign-in. Rejects when aborted. */
  readonly signedIn?: ((signal: AbortSignal) => Promise<boolean>) | undefined
  /** True for a reason to abort that leaves the task to run on the server. */
  readonly leavesTask?: ((reason: unknown) => boolean) | undefined
}

/** The connection ended while the task ran; the next one can follow it. */
export class TaskLost extends Error {
  readonly ref: TaskRef

  constructor(ref: TaskRef) {
    super('The connection was lost while the server ran a task.')
    this.name = 'TaskLost'
    this.ref = ref
  }
}

export interface TaskRunParts {
  readonly session: Session
  readonly clock: Clock
  readonly lifetime: Pick<Lifetime, 'ended' | 'signal'>
  readonly rounds: Rounds
  readonly remark: (text: string) => void
}

type RunOptions = TaskOptions & Pick<RequestOptions, 'signal' | 'timeout' | 'maxTime' | 'onSent' | 'onCancelling'>
type Checked = { readonly result: CallToolResult; readonly warnings: readonly string[] }
type Outcome = { readonly is: Checked } | { readonly error: unknown }

/** Milliseconds (TASK-6, TASK-22, TASK-13). */
const DEFAULT_POLL = 2_000
const MIN_POLL = 1_000
const MAX_POLL = 60_000
const GRACE = 5 * 60_000
const CONFIRM = 30_000
const DAY = 24 * 60 * 60_000
/** Rounds of questions after which the person is asked whether it may go on. */
const ASKS_FREELY = 8
/** Refused polls in a row; the wait doubles with each. */
const MAX_FAILURES = 10

/** Follows one task to its end: polls at the server's pace, answers its questions, fetches its result. */
export class TaskRun {
  readonly ref: TaskRef
  /** Our request that caused it. */
  requestId: RequestId | undefined
  readonly #parts: TaskRunParts
  readonly #options: RunOptions
  #task: Task
  #failures = 0
  #wake = Promise.withResolvers<void>()
  /** The open `tasks/result` of 2025-11-25. */
  #result: Promise<void> | undefined
  #outcome: Outcome | undefined
  /** Questions by key, each answered once (TASK-17). */
  readonly #asked = new Map<string, string>()
  #rounds = 0
  #unanswered = 0

  constructor(parts: TaskRunParts, options: RunOptions, ref: TaskRef, task: Task, requestId: RequestId | undefined) {
    this.#parts = parts
    this.#options = options
    this.ref = ref
    this.#task = task
    this.requestId = requestId
  }

  /** Takes a state from a notification. Only a change wakes the loop, since a server may repeat its state as often as it likes. */
  heard(task: Task): void {
    const before = this.#task.status
    this.#take(task)
    const { status } = this.#task
    const asks = status === 'input_required' && this.ref.form === 'session' && !this.#result
    if (status !== before && (isFinal(this.#task) || asks)) this.#wake.resolve()
  }

  #take(task: Task): void {
    const known = this.#task
    this.#task = newerTask(known, task)
    if (known.status !== this.#task.status || known.statusMessage !== this.#task.statusMessage) this.#tell()
  }

  /** Rejects with TaskLost when the connection ends, and with the signal's reason once the server was asked to stop. */
  async run(resumed: boolean): Promise<Checked> {
    const { signal } = this.#options
    await this.#options.onTask?.(this.#news)
    const wake = () => this.#wake.resolve()
    signal.addEventListener('abort', wake, { once: true })
    try {
      for (let first = resumed; ; first = false) {
        if (signal.aborted) return await this.#stop()
        if (this.#parts.lifetime.ended) throw new TaskLost(this.ref)
        if (this.#outcome) return this.#settled(this.#outcome)
        const ended = await this.#ended()
        if (ended) return ended
        this.#checkTime()
        if (this.#task.status === 'input_required') this.#ask()
        if (!first) await this.#pause(this.#interval)
        if (!signal.aborted && !this.#outcome && !isFinal(this.#task)) await this.#look()
      }
    } catch (error) {
      // A question that was refused ends the call, so nothing is left for the task to do.
      if (error instanceof RoundError) await this.cancel().catch(() => {}) // The first error is the one to tell.
      throw error
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }

  get #news(): TaskNews {
    const { status, statusMessage, immediate } = this.#task
    return { ref: this.ref, status, ...(statusMessage && { statusMessage }), ...(immediate && { immediate }) }
  }

  #tell(more: Partial<TaskNews> = {}): void {
    void Promise.resolve(this.#options.onTask?.({ ...this.#news, ...more })).catch((error: unknown) => {
      this.#parts.remark(`A change of a task could not be handled: ${String(error)}`)
    })
  }

  get #interval(): number {
    const wished = Math.min(MAX_POLL, Math.max(MIN_POLL, this.#task.pollInterval ?? DEFAULT_POLL))
    return jittered(Math.min(MAX_POLL, wished * 2 ** this.#failures))
  }

  #checkTime(): void {
    const { ttl } = this.#task
    if (ttl === undefined || this.#parts.clock.now() <= this.ref.since + ttl + GRACE) return
    throw new RequestError('task-lost', 'tools/call', 'The server no longer keeps the task: it has expired.')
  }

  /** Waits `ms`, or until something happens to the task or the connection. */
  async #pause(ms: number): Promise<void> {
    const { clock, lifetime } = this.#parts
    const over = new AbortController()
    const stop = AbortSignal.any([lifetime.signal, over.signal])
    try {
      // The caller checks for the end of the call.
      await Promise.race([delay(clock, ms, stop).catch(() => {}), this.#wake.promise])
    } finally {
      over.abort()
      this.#wake = Promise.withResolvers()
    }
  }

  async #look(): Promise<void> {
    const { session } = this.#parts
    try {
      const answer = await this.#signedIn(() => session.call('tasks/get', { taskId: this.ref.taskId }, this.#how))
      this.#failures = 0
      if ('result' in answer && answer.result.taskId === this.ref.taskId) this.#take(answer.result)
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Repeats a request that needs a sign-in, once the person has signed in. */
  async #signedIn<T>(send: () => Promise<T>): Promise<T> {
    const { signal, signedIn } = this.#options
    for (;;) {
      try {
        return await send()
      } catch (error) {
        const { lifetime } = this.#parts
        if (!isUnauthorized(error) || !signedIn || signal.aborted || lifetime.ended) throw error
        const again = await signedIn(AbortSignal.any([signal, lifetime.signal])).catch(() => false) // Aborted.
        if (!again) throw error
      }
    }
  }

  /** No request about a task is cancelled by a notification: that could be taken for the task itself (TASK-11). */
  get #how(): RequestOptions {
    const { timeout, maxTime } = this.#options
    return { signal: this.#parts.lifetime.signal, timeout, maxTime, aside: true, uncancellable: true }
  }

  /** Throws unless the next poll may succeed. */
  #failed(error: unknown): void {
    if (this.#parts.lifetime.ended || isGone(error)) throw new TaskLost(this.ref)
    // A task is stopped whether or not the person signs in.
    if (this.#options.signal.aborted && isUnauthorized(error)) return
    if (error instanceof ProtocolError && error.code === ErrorCode.invalidParams) {
      const message = 'The server no longer knows the task that ran this call.'
      throw new RequestError('task-lost', 'tools/call', message, { cause: error })
    }
    this.#failures += 1
    // A laptop may be closed, and without a network, for hours.
    if (isUnreached(error)) return
    const passing =
      (error instanceof TransportError && !isUnauthorized(error)) ||
      (error instanceof ProtocolError && error.code === ErrorCode.internal)
    if (!passing || this.#failures > MAX_FAILURES) throw error
  }

  /** The result, when the task has ended and it is there. */
  async #ended(): Promise<Checked | undefined> {
    const { status, statusMessage, result, error } = this.#task
    if (!isFinal(this.#task)) return undefined
    if (status === 'cancelled') {
      const said = statusMessage === undefined ? '' : ` It said: ${statusMessage}`
      throw new RequestError('task-cancelled', 'tools/call', `The server cancelled the task.${said}`)
    }
    if (this.ref.form === 'session') {
      // The result of a failed task is the reason (TASK-10).
      if (this.#failures > 0) await this.#pause(this.#interval)
      this.#fetch()
      await this.#pause(DAY)
      return undefined
    }
    if (result) return { result, warnings: [] }
    if (error) throw error
    // The answer that created the task has its status only.
    await this.#look()
    if (!this.#task.result && !this.#task.error) {
      throw new RequestError('invalid-result', 'tasks/get', 'The task has ended without a result.')
    }
    return undefined
  }

  /** Opens `tasks/result`, once: it waits as long as the task does (TASK-9). */
  #fetch(): void {
    const { session } = this.#parts
    const { onSent } = this.#options
    const sent = (id: RequestId) => {
      this.requestId ??= id
      onSent?.(id)
    }
    const how: RequestOptions = { ...this.#how, timeout: DAY, maxTime: DAY, aside: false, onSent: sent }
    this.#result ??= this.#signedIn(() => session.call('tasks/result', { taskId: this.ref.taskId }, how))
      .then(
        (answer) => {
          if ('result' in answer) this.#outcome = { is: answer }
        },
        (error: unknown) => this.#unfetched(error),
      )
      .finally(() => {
        // Without a result, a running task is polled at its next interval.
        if (this.#outcome || isFinal(this.#task)) this.#wake.resolve()
      })
  }

  /** A running task is polled again, and its result fetched at its end. */
  #unfetched(error: unknown): void {
    this.#result = undefined
    try {
      if (error instanceof ProtocolError) throw error
      this.#failed(error)
    } catch (failure) {
      if (isFinal(this.#task) || failure instanceof TaskLost) this.#outcome = { error: failure }
    }
  }

  #settled(outcome: Outcome): Checked {
    if ('is' in outcome) return outcome.is
    throw outcome.error
  }

  /** Answers what the task asks: in 2025-11-25 by the open `tasks/result`, in the extension by `tasks/update`. */
  #ask(): void {
    if (this.ref.form === 'session') {
      this.#fetch()
      return
    }
    const fresh = new Map(
      [...(this.#task.inputRequests ?? [])].filter(([key, request]) => this.#isNew(key, JSON.stringify(request))),
    )
    if (fresh.size === 0) return
    if (++this.#rounds > MAX_ROUNDS || this.#unanswered >= MAX_UNANSWERED) {
      throw new RoundError('limit', `The task asked ${this.#rounds} times.`)
    }
    this.#answer(fresh).catch((error: unknown) => {
      this.#outcome = { error }
      this.#wake.resolve()
    })
  }

  #isNew(key: string, request: string): boolean {
    const known = this.#asked.get(key)
    if (known === request) return false
    if (known !== undefined) throw new RoundError('asked-wrongly', 'The server changed a question that it had asked already.')
    this.#asked.set(key, request)
    return true
  }

  async #answer(requests: NonNullable<Task['inputRequests']>): Promise<void> {
    const { rounds, session, lifetime } = this.#parts
    const signal = AbortSignal.any([this.#options.signal, lifetime.signal])
    const asked = this.#rounds - 1
    if (asked > 0 && asked % ASKS_FREELY === 0) {
      await this.#options.mayAskOn?.(asked, signal)
      this.#unanswered = 0
    }
    const { inputResponses, byPerson } = await rounds.inputs(requests, this.requestId, signal)
    this.#unanswered = byPerson ? 0 : this.#unanswered + 1
    await this.#signedIn(() => session.call('tasks/update', { taskId: this.ref.taskId, inputResponses }, this.#how))
  }

  /** Asks the server to stop. A result that comes all the same counts (TASK-11, TASK-13). */
  async #stop(): Promise<Checked> {
    const { signal, leavesTask, onCancelling } = this.#options
    if (leavesTask?.(signal.reason)) throw signal.reason
    const cancelled = this.cancel()
    onCancelling?.(cancelled.catch(() => {})) // Awaited below.
    const refused = await cancelled.then(
      () => false,
      (error: unknown) => error instanceof ProtocolError && error.code === ErrorCode.invalidParams,
    )
    // A session server answers with the cancelled task, or refuses because it has ended.
    if (this.ref.form === 'session' && !refused) throw signal.reason
    const until = this.#parts.clock.now() + CONFIRM
    for (;;) {
      if (!isFinal(this.#task)) await this.#look()
      if (this.#task.status === 'cancelled') throw signal.reason
      if (this.#parts.lifetime.ended) throw new TaskLost(this.ref)
      if (isFinal(this.#task)) {
        const ended = this.#outcome ? this.#settled(this.#outcome) : await this.#ended()
        if (ended) return ended
        continue
      }
      const left = until - this.#parts.clock.now()
      if (left <= 0 || refused) {
        this.#tell({ unconfirmed: true })
        throw signal.reason
      }
      await delay(this.#parts.clock, Math.min(left, this.#interval), this.#parts.lifetime.signal)
    }
  }

  async cancel(): Promise<void> {
    await this.#parts.session.call('tasks/cancel', { taskId: this.ref.taskId }, this.#how)
  }
}

/** True if no answer came, so that nothing is known of the task. */
function isUnreached(error: unknown): boolean {
  if (error instanceof RequestError) return error.code === 'timeout'
  return error instanceof TransportError && error.details.status === undefined && !isUnauthorized(error)
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof TransportError && error.code === 'unauthorized'
}

/** True for the end of the connection or session. */
function isGone(error: unknown): boolean {
  return error instanceof RequestError && (error.code === 'closed' || error.code === 'session-lost')
}
