import { Worker } from 'node:worker_threads'
import type { Clock } from '../../src-shared/base/clock.ts'
import type { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { ImageAnswer, ImageJob, Redrawn } from './image-protocol.ts'

/** Milliseconds that one image may take; the largest takes a few seconds. */
export const JOB_TIME = 20_000
/** Milliseconds after which an idle thread ends and gives its memory back. */
const IDLE_TIME = 10_000
/** Images that wait. */
export const QUEUE_LIMIT = 64
/** Of JavaScript's own memory, in MiB; pixels lie in buffers, which the limit of pixels bounds, and in the codec's memory. */
const RESOURCES = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

export type ImageFailure = 'broken' | 'too-slow' | 'busy' | 'ended'

export type ImageOutcome =
  | { readonly is: 'done'; readonly redrawn: Redrawn | undefined }
  | { readonly is: 'failed'; readonly why: ImageFailure }

interface Waiting {
  readonly job: Omit<ImageJob, 'id'>
  readonly settle: (outcome: ImageOutcome) => void
}

/**
 * One thread for images of strangers, started by the first, one image at a time. A thread that dies, or is ended because it takes
 * too long, fails only the image that it had; the next image gets a new one.
 */
export class ImageThread {
  readonly #clock: Clock
  readonly #lifetime: Lifetime
  readonly #queue: Waiting[] = []
  #current: { readonly id: number; readonly waiting: Waiting; readonly stopTimer: () => void } | undefined
  #worker: Worker | undefined
  #stopIdle = () => {}
  #lastId = 0

  constructor(parts: { readonly clock: Clock; readonly lifetime: Lifetime }) {
    this.#clock = parts.clock
    this.#lifetime = parts.lifetime
    this.#lifetime.onEnd(() => this.#end())
  }

  /** Never rejects. */
  run(job: Omit<ImageJob, 'id'>): Promise<ImageOutcome> {
    if (this.#lifetime.ended) return Promise.resolve({ is: 'failed', why: 'ended' })
    if (this.#queue.length >= QUEUE_LIMIT) return Promise.resolve({ is: 'failed', why: 'busy' })
    return new Promise((settle) => {
      this.#queue.push({ job, settle })
      this.#next()
    })
  }

  #next(): void {
    if (this.#current || this.#lifetime.ended) return
    const waiting = this.#queue.shift()
    if (!waiting) return
    this.#stopIdle()
    this.#worker ??= this.#start()
    this.#lastId += 1
    const stopTimer = this.#clock.after(JOB_TIME, () => this.#drop('too-slow'))
    this.#current = { id: this.#lastId, waiting, stopTimer }
    this.#worker.postMessage({ id: this.#lastId, ...waiting.job } satisfies ImageJob)
  }

  #start(): Worker {
    const source = import.meta.url.endsWith('.ts') ? './image-worker.ts' : './image-worker.js'
    const worker = new Worker(new URL(source, import.meta.url), { name: 'images', resourceLimits: RESOURCES })
    worker.on('message', ({ id, redrawn }: ImageAnswer) => {
      if (worker === this.#worker && id === this.#current?.id) this.#settle({ is: 'done', redrawn })
    })
    const died = () => {
      if (worker === this.#worker) this.#drop('broken')
    }
    worker.on('error', died)
    worker.on('messageerror', died)
    worker.on('exit', died)
    return worker
  }

  #settle(outcome: ImageOutcome): void {
    const current = this.#current
    this.#current = undefined
    current?.stopTimer()
    current?.waiting.settle(outcome)
    this.#next()
    if (this.#current) return
    this.#stopIdle()
    this.#stopIdle = this.#clock.after(IDLE_TIME, () => void this.#endWorker())
  }

  #drop(why: ImageFailure): void {
    void this.#endWorker()
    this.#settle({ is: 'failed', why })
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  async #end(): Promise<void> {
    const ended: ImageOutcome = { is: 'failed', why: 'ended' }
    for (const { settle } of this.#queue.splice(0)) settle(ended)
    this.#current?.stopTimer()
    this.#current?.waiting.settle(ended)
    this.#current = undefined
    this.#stopIdle()
    await this.#endWorker()
  }
}
