import { Worker } from 'node:worker_threads'
import type { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { StorageError } from '../base/storage.ts'
import {
  type DatabaseFiles,
  type DatabaseParts,
  type DatabaseRequest,
  type DatabaseResponse,
  OPENED,
} from './database-protocol.ts'

type MethodsOf<Part> = { [M in keyof Part]: Part[M] extends (...args: never[]) => unknown ? M : never }[keyof Part] & string
type Arguments<Method> = Method extends (...args: infer Args) => unknown ? Args : never
type Result<Method> = Method extends (...args: never[]) => infer R ? R : never

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: StorageError) => void
}

/** The database in a thread of its own, so that no query holds up the window's loop. */
export class Database {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #ended: Promise<void>
  #nextId = OPENED + 1
  #over: StorageError | undefined

  private constructor(files: DatabaseFiles) {
    const source = import.meta.url.endsWith('.ts') ? './database-worker.ts' : './database-worker.js'
    this.#worker = new Worker(new URL(source, import.meta.url), { name: 'database', workerData: files })
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
      await database.#answerTo(OPENED)
    } catch (error) {
      await database.#ended
      throw error
    }
    lifetime.onEnd(() => database.#close())
    return database
  }

  /** Runs one method in the thread. Requests are served in order, each to its end. */
  call<P extends keyof DatabaseParts, M extends MethodsOf<DatabaseParts[P]>>(
    part: P,
    method: M,
    ...args: Arguments<DatabaseParts[P][M]>
  ): Promise<Result<DatabaseParts[P][M]>> {
    // The thread answers a call with what that very method returned.
    return this.#request({ part, method, args }) as Promise<Result<DatabaseParts[P][M]>>
  }

  async #close(): Promise<void> {
    try {
      if (!this.#over) await this.#request()
    } finally {
      await this.#ended
    }
  }

  #request(call?: DatabaseRequest['call']): Promise<unknown> {
    if (this.#over) return Promise.reject(this.#over)
    const id = this.#nextId
    this.#nextId += 1
    this.#worker.postMessage({ id, ...(call && { call }) } satisfies DatabaseRequest)
    return this.#answerTo(id)
  }

  #answerTo(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #settle(response: DatabaseResponse): void {
    const waiting = this.#waiting.get(response.id)
    this.#waiting.delete(response.id)
    if ('failed' in response) waiting?.reject(new StorageError(response.failed.code, response.failed.message))
    else waiting?.resolve(response.result)
  }

  #end(error: StorageError): void {
    this.#over ??= error
    for (const { reject } of this.#waiting.values()) reject(this.#over)
    this.#waiting.clear()
  }
}
