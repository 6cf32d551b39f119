import { Worker } from 'node:worker_threads'
import type { Clock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'

export type ThreadName = 'images' | 'documents' | 'schemas' | 'configurations' | 'bundles'

/** Called when a part of the program cannot be loaded. */
export type OnLost<Part extends string = ThreadName> = (part: Part, error: unknown) => void

/** Milliseconds for a thread to load its code. On a busy machine this takes longer than a job may. */
export const LOAD_TIME = 60_000

/** The options of every owner of such a thread. */
export interface ThreadParts {
  readonly clock: Clock
  readonly lifetime: Lifetime
  readonly onLost?: OnLost
}

interface BoundedThreadOptions extends ThreadParts {
  /** Also the name of its lifetime, and in lists of threads. */
  readonly name: ThreadName
  readonly source: URL
  /** MiB of the heap, which holds no buffers. */
  readonly heap: number
  /** Milliseconds for one job, once its thread is loaded. */
  readonly jobTime: number
  /** Milliseconds after which an idle thread ends, to free its memory; 10 s unless given. */
  readonly idleTime?: number
  /** The most waiting jobs. */
  readonly queueLimit: number
}

/** The file of a thread next to the given module: from the sources, or bundled. */
export function threadSource(module: string, name: string): URL {
  return new URL(`./${name}${module.endsWith('.ts') ? '.ts' : '.js'}`, module)
}

/** `lost`: its own code or what it needs could not be loaded. */
export type ThreadFailure = 'broken' | 'lost' | 'too-slow' | 'busy' | 'ended'

type ThreadOutcome<Answer> =
  | { readonly is: 'done'; readonly answer: Answer }
  | { readonly is: 'failed'; readonly why: ThreadFailure }

interface Waiting<Job, Answer> {
  /** Called when the job starts; `fresh` in a new thread, without the state of earlier jobs. */
  readonly job: (fresh: boolean) => Job
  readonly settle: (outcome: ThreadOutcome<Answer>) => void
}

/**
 * A thread for work whose cost an attacker may choose, one job at a time. A thread that crashes, or is ended since it takes too long,
 * fails only its current job; the next job gets a new thread.
 */
export class BoundedThread<Job, Answer> {
  readonly #options: BoundedThreadOptions
  readonly #queue: Waiting<Job, Answer>[] = []
  #current: { readonly id: number; readonly waiting: Waiting<Job, Answer>; stopTimer: () => void } | undefined
  #worker: Worker | undefined
  #stopIdle = () => {}
  #lastId = 0

  constructor(options: BoundedThreadOptions) {
    const lifetime = new Lifetime(options.name, options.lifetime)
    this.#options = { ...options, lifetime }
    lifetime.onEnd(() => this.#end())
  }

  /** Never rejects. */
  run(job: (fresh: boolean) => Job): Promise<ThreadOutcome<Answer>> {
    if (this.#options.lifetime.ended) return Promise.resolve({ is: 'failed', why: 'ended' })
    if (this.#queue.length >= this.#options.queueLimit) return Promise.resolve({ is: 'failed', why: 'busy' })
    return new Promise((settle) => {
      this.#queue.push({ job, settle })
      this.#next()
    })
  }

  #next(): void {
    const { lifetime, jobTime } = this.#options
    if (this.#current || lifetime.ended) return
    const waiting = this.#queue.shift()
    if (!waiting) return
    this.#stopIdle()
    const fresh = this.#worker === undefined
    this.#worker ??= this.#start()
    this.#lastId += 1
    this.#current = { id: this.#lastId, waiting, stopTimer: () => {} }
    this.#endAfter(fresh ? LOAD_TIME : jobTime)
    this.#worker.postMessage({ id: this.#lastId, job: waiting.job(fresh) } satisfies ThreadJob<Job>)
  }

  #endAfter(time: number): void {
    this.#current?.stopTimer()
    if (this.#current) this.#current.stopTimer = this.#options.clock.after(time, () => this.#drop('too-slow'))
  }

  #start(): Worker {
    const { source, name, heap } = this.#options
    const resourceLimits = { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
    // Shared memory, since an error can overtake a message that was sent before it.
    const loaded: LoadedFlag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const worker = new Worker(source, { name, resourceLimits, workerData: loaded })
    worker.on('message', (said: ThreadSaid<Answer>) => {
      if (worker !== this.#worker) return
      if (said === 'loaded') this.#endAfter(this.#options.jobTime)
      else if (said.id === this.#current?.id) this.#settle({ is: 'done', answer: said.answer })
    })
    const died = (error: unknown) => {
      if (worker !== this.#worker) return
      // An error before loading, or of code that is loaded later, means missing code.
      const lost =
        Atomics.load(loaded, 0) === 0 || (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      if (lost) this.#options.onLost?.(name, error)
      this.#drop(lost ? 'lost' : 'broken')
    }
    worker.on('error', died)
    worker.on('messageerror', died)
    worker.on('exit', died)
    return worker
  }

  #settle(outcome: ThreadOutcome<Answer>): void {
    const current = this.#current
    this.#current = undefined
    current?.stopTimer()
    current?.waiting.settle(outcome)
    this.#next()
    if (this.#current) return
    this.#stopIdle()
    const { clock, idleTime = 10_000 } = this.#options
    this.#stopIdle = clock.after(idleTime, () => void this.#endWorker())
  }

  #drop(why: ThreadFailure): void {
    void this.#endWorker()
    this.#settle({ is: 'failed', why })
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  async #end(): Promise<void> {
    const ended = { is: 'failed', why: 'ended' } as const
    for (const { settle } of this.#queue.splice(0)) settle(ended)
    this.#current?.stopTimer()
    this.#current?.waiting.settle(ended)
    this.#current = undefined
    this.#stopIdle()
    await this.#endWorker()
  }
}

/** One number, which the thread sets to 1 when it is ready for jobs. */
export type LoadedFlag = Int32Array<SharedArrayBuffer>

/** The messages to and from the thread. A failed job ends the thread. */
interface ThreadJob<Job> {
  readonly id: number
  readonly job: Job
}

/** The first message says that the thread is loaded; the others are answers. */
export type ThreadSaid<Answer> = 'loaded' | ThreadAnswer<Answer>

interface ThreadAnswer<Answer> {
  readonly id: number
  readonly answer: Answer
}
