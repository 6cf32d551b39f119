import type { Clock } from '../../../src-shared/base/clock.ts'

/** A message to a thread; it answers with a ThreadAnswer of the same id. */
export interface ThreadAsk<Ask> {
  readonly id: number
  readonly ask: Ask
}

export interface ThreadAnswer<Answer> {
  readonly id: number
  /** undefined for what cannot be done. */
  readonly answer: Answer | undefined
}

interface Job<Ask, Answer> {
  readonly request: ThreadAsk<Ask>
  readonly give: (answer: Answer | undefined) => void
}

/**
 * Work on strangers' texts in a thread of its own, since its cost has no bound that the page could rely on. A thread that takes longer
 * than `deadline` milliseconds for one piece is ended with it; the others go on in a new one.
 */
export class ThreadQueue<Ask, Answer> {
  readonly #start: () => Worker
  readonly #clock: Clock
  readonly #deadline: number
  /** Oldest first. */
  readonly #waiting = new Map<number, Job<Ask, Answer>>()
  #worker: Worker | undefined
  #stopTimer = () => {}
  #lastId = 0

  constructor(start: () => Worker, clock: Clock, deadline: number) {
    this.#start = start
    this.#clock = clock
    this.#deadline = deadline
  }

  /** undefined for what the thread cannot do, and for what takes too long. */
  run(ask: Ask): Promise<Answer | undefined> {
    this.#lastId += 1
    const request: ThreadAsk<Ask> = { id: this.#lastId, ask }
    return new Promise((give) => {
      this.#waiting.set(request.id, { request, give })
      if (this.#waiting.size === 1) this.#watch()
      this.#thread().postMessage(request)
    })
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker
    const worker = this.#start()
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<ThreadAnswer<Answer>>) => {
      if (worker === this.#worker) this.#settle(data.id, data.answer)
    })
    // Without it the text can be read as it was written.
    worker.addEventListener('error', () => {
      if (worker === this.#worker) for (const id of [...this.#waiting.keys()]) this.#settle(id, undefined)
    })
    return worker
  }

  #settle(id: number, answer: Answer | undefined): void {
    this.#waiting.get(id)?.give(answer)
    this.#waiting.delete(id)
    this.#watch()
  }

  /** From now on the oldest has the whole time. */
  #watch(): void {
    this.#stopTimer()
    if (this.#waiting.size > 0) this.#stopTimer = this.#clock.after(this.#deadline, () => this.#giveUp())
  }

  #giveUp(): void {
    this.#worker?.terminate()
    this.#worker = undefined
    const [oldest] = this.#waiting.keys()
    if (oldest !== undefined) this.#settle(oldest, undefined)
    for (const { request } of this.#waiting.values()) this.#thread().postMessage(request)
  }
}
