import type { Clock } from '../../../src-shared/base/clock.ts'
import { countdown } from '../../../src-shared/base/countdown.ts'
import type { ThreadAsk, WorkerSaid } from './serve-thread.ts'

/** `broken` cannot be done; `late` took too long or had no thread, and may be tried again. */
export type ThreadOutcome<Answer> = { readonly is: 'done'; readonly answer: Answer } | { readonly is: 'broken' | 'late' }

interface Job<Ask, Answer> {
  readonly request: ThreadAsk<Ask>
  readonly time: number
  readonly settle: (outcome: ThreadOutcome<Answer>) => void
}

/**
 * Runs work on strangers' texts in a thread, since its cost has no bound. A thread that exceeds the time of one job is ended with
 * it, and the other jobs go on in a new one. The time starts with the job.
 */
export class ThreadQueue<Ask, Answer> {
  readonly #start: () => Worker
  readonly #clock: Clock
  readonly #waiting = new Map<number, Job<Ask, Answer>>()
  #worker: Worker | undefined
  #running: number | undefined
  #stopTimer = () => {}
  #lastId = 0

  constructor(start: () => Worker, clock: Clock) {
    this.#start = start
    this.#clock = clock
  }

  /** `time` is the limit in milliseconds. Never rejects. */
  run(ask: Ask, time: number): Promise<ThreadOutcome<Answer>> {
    this.#lastId += 1
    const request: ThreadAsk<Ask> = { id: this.#lastId, ask }
    return new Promise((settle) => {
      this.#waiting.set(request.id, { request, time, settle })
      this.#thread().postMessage(request)
    })
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker
    const worker = this.#start()
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerSaid<Answer>>) => {
      if (worker !== this.#worker) return
      if (data.is === 'begun') this.#begin(data.id)
      else this.#settle(data.id, data.is === 'done' ? { is: 'done', answer: data.answer } : { is: 'broken' })
    })
    // The thread failed to load, or crashed on the job it had started.
    worker.addEventListener('error', () => {
      if (worker !== this.#worker) return
      const fatal = this.#running
      this.#endThread()
      for (const id of [...this.#waiting.keys()]) this.#settle(id, { is: id === fatal ? 'broken' : 'late' })
    })
    return worker
  }

  #begin(id: number): void {
    const job = this.#waiting.get(id)
    this.#stopTimer()
    this.#running = id
    if (job) this.#stopTimer = countdown(this.#clock, job.time, () => this.#giveUp(id))
  }

  #settle(id: number, outcome: ThreadOutcome<Answer>): void {
    if (id === this.#running) this.#stopTimer()
    this.#waiting.get(id)?.settle(outcome)
    this.#waiting.delete(id)
  }

  #giveUp(id: number): void {
    this.#endThread()
    this.#settle(id, { is: 'late' })
    for (const { request } of this.#waiting.values()) this.#thread().postMessage(request)
  }

  #endThread(): void {
    this.#stopTimer()
    this.#worker?.terminate()
    this.#worker = undefined
    this.#running = undefined
  }
}
