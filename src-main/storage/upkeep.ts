import type { Clock } from '../../src-shared/base/clock.ts'
import type { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { StorageError } from './base/storage.ts'
import { storageError } from './base/storage-errors.ts'

const HOUR = 3_600_000

interface Task {
  /** The sentence for a failure, without its full stop. */
  readonly failed: string
  readonly run: () => Promise<unknown>
}

/** Runs the maintenance of a data folder at each start, and each hour after. */
export class Upkeep {
  readonly #tasks: readonly Task[]
  readonly #clock: Clock
  readonly #tell: (problem: StorageError) => void
  #cancel: (() => void) | undefined
  #running: Promise<void> = Promise.resolve()
  #ended = false

  /** `tell` hears of failures; a failed task runs again. */
  constructor(tasks: readonly Task[], clock: Clock, lifetime: Lifetime, tell: (problem: StorageError) => void) {
    this.#tasks = tasks
    this.#clock = clock
    this.#tell = tell
    lifetime.onEnd(async () => {
      this.#ended = true
      this.#cancel?.()
      await this.#running
    })
  }

  start(): void {
    if (this.#ended) return
    this.#running = this.#run().finally(() => {
      if (!this.#ended) this.#cancel = this.#clock.after(HOUR, () => this.start())
    })
  }

  async #run(): Promise<void> {
    for (const { run, failed } of this.#tasks) {
      if (this.#ended) return
      await run().catch((error: unknown) => this.#tell(storageError(error, failed)))
    }
  }
}
