import { Worker } from 'node:worker_threads'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import type { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { Loss } from '../base/damage.ts'
import { StorageError } from '../base/storage.ts'
import type { DatabaseJob, JobResults } from './database-jobs.ts'
import { type DatabaseFiles, type DatabaseRequest, type DatabaseResponse, OPENED } from './database-protocol.ts'
import { databaseStores } from './database-stores.ts'

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: StorageError) => void
}

/** Losses kept for listeners that come later. */
const MAX_LOSSES = 1_000

/** The database in a thread of its own, so that no query blocks the host. */
export class Database {
  /** Each method runs in the thread, to its end, in the order of the requests. */
  readonly stores = databaseStores((part, method, args) => this.#request({ part, method, args }))
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #ended: Promise<void>
  readonly #onLoss = new Emitter<readonly Loss[]>()
  #losses: readonly Loss[] = []
  #nextId = OPENED + 1
  #failure: StorageError | undefined

  private constructor(work: DatabaseFiles | DatabaseJob) {
    const source = import.meta.url.endsWith('.ts') ? './database-worker.ts' : './database-worker.js'
    this.#worker = new Worker(new URL(source, import.meta.url), { name: 'database', workerData: work })
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#end(new StorageError('io', 'The database is closed.'))
        resolve()
      })
    })
    this.#worker.on('message', (response: DatabaseResponse) => this.#settle(response))
    this.#worker.on('error', (error) =>
      this.#end(new StorageError('io', 'The database thread ended unexpectedly. Start Parley again.', { cause: error })),
    )
  }

  /** Resolves once the schema is up to date. Throws StorageError `newer-version`, `corrupt`, `read-only`, `full`, `io`. */
  static async open(files: DatabaseFiles, lifetime: Lifetime): Promise<Database> {
    const database = new Database(files)
    try {
      await database.#responseTo(OPENED)
    } catch (error) {
      await database.#ended
      throw error
    }
    lifetime.onEnd(() => database.#close())
    return database
  }

  /** Runs one job in a thread of its own. Throws StorageError. */
  static async run<J extends DatabaseJob>(job: J): Promise<JobResults[J['is']]> {
    const database = new Database(job)
    try {
      // The thread answers with the result of this job.
      return (await database.#responseTo(OPENED)) as JobResults[J['is']]
    } finally {
      await database.#ended
    }
  }

  /** Hears of earlier losses at once, and of later ones. Returns the undo. */
  onLoss(listen: (losses: readonly Loss[]) => void): () => void {
    if (this.#losses.length > 0) listen(this.#losses)
    return this.#onLoss.on(listen)
  }

  async #close(): Promise<void> {
    try {
      if (!this.#failure) await this.#request()
    } finally {
      await this.#ended
    }
  }

  #request(call?: DatabaseRequest['call']): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure)
    const id = this.#nextId
    this.#nextId += 1
    this.#worker.postMessage({ id, ...(call && { call }) } satisfies DatabaseRequest)
    return this.#responseTo(id)
  }

  #responseTo(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #settle(response: DatabaseResponse): void {
    const waiting = this.#waiting.get(response.id)
    this.#waiting.delete(response.id)
    if ('failed' in response) waiting?.reject(new StorageError(response.failed.code, response.failed.message))
    else {
      if (response.losses) {
        this.#losses = [...this.#losses, ...response.losses].slice(-MAX_LOSSES)
        this.#onLoss.fire(response.losses)
      }
      waiting?.resolve(response.result)
    }
  }

  #end(error: StorageError): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.values()) reject(this.#failure)
    this.#waiting.clear()
  }
}
