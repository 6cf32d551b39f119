import { isObject } from '../../src-shared/base/json.ts'
import type { RequestOptions } from '../protocol/peer/pending-request.ts'
import { type Border, ShapeError } from '../protocol/shapes/border.ts'
import { type Params, RequestError, type RequestId } from '../protocol/shapes/json-rpc.ts'
import { LimitError, type Limits } from '../protocol/shapes/limits.ts'
import { createdTask, relatedTask, runsTasks, type Task, task } from '../protocol/task.ts'
import { type TaskOptions, type TaskRef, TaskRun, type TaskRunParts } from './task-run.ts'
import { EarlyTasks } from './task-state.ts'

const MAX_LIVE = 32
/** Milliseconds. */
const LONG = 30_000

interface TasksParts extends TaskRunParts {
  readonly limits: Limits
  /** False where the person turned tasks off. */
  readonly on: boolean
}

export class Tasks {
  readonly #parts: TasksParts
  readonly #live = new Map<string, TaskRun>()
  readonly #early: EarlyTasks
  /** Tools whose last call took long. */
  readonly #long = new Set<string>()

  constructor(parts: TasksParts) {
    this.#parts = parts
    this.#early = new EarlyTasks(parts.clock)
  }

  /** True if tool calls of the session may be tasks; in the extension the server decides. */
  get mayAsk(): boolean {
    const { traits, hello } = this.#parts.session
    return this.#parts.on && traits.session && traits.toolExecution && runsTasks(hello.capabilities)
  }

  /** True for a tool that need not be a task and whose last call took so long that the next is one (TASK-3). */
  isLong(tool: string): boolean {
    return this.#long.has(tool)
  }

  took(tool: string, ms: number): void {
    if (ms > LONG) this.#long.add(tool)
    else this.#long.delete(tool)
  }

  /** A status notification, which may come before the creating answer. */
  heard(params: Params): void {
    const found = this.#checked(params, task)
    if (!found) return
    const run = this.#live.get(found.taskId)
    if (run) run.heard(found)
    else this.#early.keep(found)
  }

  /** Our request that caused a request of the server, if that names its task. */
  causeOf(params: Params): RequestId | undefined {
    const id = relatedTask(params)
    return id === undefined ? undefined : this.#live.get(id)?.requestId
  }

  /** Cancels the task that a late answer created, whose call was stopped before (TASK-12). False for any other answer. */
  late(result: Params): boolean {
    const found = isObject(result.task) || result.resultType === 'task' ? this.#checked(result, createdTask) : undefined
    if (!found) return false
    const { session, lifetime, remark } = this.#parts
    const how = { signal: lifetime.signal, timeout: 60_000, maxTime: 60_000, aside: true }
    session.call('tasks/cancel', { taskId: found.taskId }, how).catch((error: unknown) => {
      remark(`A task of a stopped call could not be cancelled: ${String(error)}`)
    })
    return true
  }

  created(tool: string, created: Task, options: RequestOptions & TaskOptions, requestId: RequestId | undefined) {
    const { session, clock } = this.#parts
    const ref: TaskRef = {
      taskId: created.taskId,
      form: session.traits.session ? 'session' : 'extension',
      since: clock.now(),
    }
    return this.#logged(tool, 'began', this.#follow(ref, created, options, requestId))
  }

  /** Goes on with a task of an earlier connection. Nothing is sent to make the call again (TASK-21). */
  resume(tool: string, ref: TaskRef, options: RequestOptions & TaskOptions) {
    const form = this.#parts.session.traits.session ? 'session' : 'extension'
    if (form !== ref.form) throw new RequestError('task-lost', 'tools/call', 'The server speaks another protocol now.')
    return this.#logged(tool, 'is still running; Parley asks for it again', this.#follow(ref, undefined, options, undefined))
  }

  /** Logs the beginning and the end of a task with its tool, and never its id (TASK-27). */
  async #logged<T>(tool: string, begins: string, result: Promise<T>): Promise<T> {
    const { remark } = this.#parts
    const name = `The task of “${tool.slice(0, 80)}”`
    remark(`${name} ${begins}.`)
    try {
      const read = await result
      remark(`${name} ended, and its result was read.`)
      return read
    } catch (error) {
      remark(`${name} gave no result: ${error instanceof Error ? error.message : String(error)}`)
      throw error
    }
  }

  async #follow(
    ref: TaskRef,
    created: Task | undefined,
    options: RequestOptions & TaskOptions,
    requestId: RequestId | undefined,
  ) {
    const { taskId } = ref
    if (this.#live.has(taskId)) {
      throw new RequestError('invalid-result', 'tools/call', 'The server named a task that belongs to another call.')
    }
    const task: Task = created ?? { taskId, status: 'working' }
    const run = new TaskRun(this.#parts, options, ref, task, requestId)
    if (this.#live.size >= MAX_LIVE) {
      await run.cancel().catch(() => {}) // It is refused below all the same.
      throw new RequestError('too-many-pending', 'tools/call', `${MAX_LIVE} tasks already run on this server.`)
    }
    const early = this.#early.take(taskId)
    if (early) run.heard(early)
    this.#live.set(taskId, run)
    try {
      return await run.run(created === undefined)
    } finally {
      this.#live.delete(taskId)
    }
  }

  #checked(params: Params, check: (value: Params, border: Border) => Task): Task | undefined {
    const { session, limits, remark } = this.#parts
    try {
      return check(params, { traits: session.traits, limits, warnings: [] })
    } catch (error) {
      if (!(error instanceof ShapeError || error instanceof LimitError)) throw error
      remark(`The server reported a task that is not valid: ${error.message}`)
      return undefined
    }
  }
}
