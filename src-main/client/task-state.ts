import type { Clock } from '../../src-shared/base/clock.ts'
import { dropOldest } from '../../src-shared/base/drop-oldest.ts'
import { isFinal, type Task } from '../protocol/task.ts'

/** The newer of two states: a final one never changes, and answers and notifications may arrive in any order (TASK-8). */
export function newerTask(known: Task, heard: Task): Task {
  if (isFinal(known)) return heard.status === known.status ? { ...known, ...heard } : known
  if (isFinal(heard)) return heard
  const older = heard.lastUpdatedAt !== undefined && heard.lastUpdatedAt < (known.lastUpdatedAt ?? Number.NEGATIVE_INFINITY)
  return older ? known : heard
}

const MAX_EARLY = 64
const EARLY_MS = 30_000

/** Notified states of tasks whose creating answer has not arrived yet. */
export class EarlyTasks {
  readonly #clock: Clock
  readonly #heard = new Map<string, { readonly task: Task; readonly at: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#heard.size
  }

  keep(task: Task): void {
    const known = this.take(task.taskId)
    this.#heard.set(task.taskId, { task: known ? newerTask(known, task) : task, at: this.#clock.now() })
    dropOldest(this.#heard, MAX_EARLY)
  }

  take(taskId: string): Task | undefined {
    const early = this.#heard.get(taskId)
    this.#heard.delete(taskId)
    return early && this.#clock.now() - early.at <= EARLY_MS ? early.task : undefined
  }
}
