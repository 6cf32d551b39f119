import type { CSSProperties } from 'react'
import { type Clock, systemClock } from '../../../src-shared/base/clock.ts'

export interface CodeToken {
  readonly at: number
  readonly text: string
  /** Custom properties with the colours of the light and the dark theme. */
  readonly style: CSSProperties
}

export type CodeLines = readonly (readonly CodeToken[])[]

export interface HighlightRequest {
  readonly id: number
  readonly code: string
  readonly language: string
}

export interface HighlightResponse {
  readonly id: number
  /** undefined for a language that is not known. */
  readonly lines: CodeLines | undefined
}

/** Milliseconds that one piece of code may take: what takes longer is read without colours. */
export const DEADLINE = 10_000

interface Job {
  readonly request: HighlightRequest
  readonly give: (lines: CodeLines | undefined) => void
}

/**
 * Colours code in a thread of its own: making a grammar ready takes a tenth of a second and more, and what a grammar does with a
 * stranger's code has no bound. A thread that takes too long is ended with its job; the others go on in a new one.
 */
export class Highlighter {
  readonly #start: () => Worker
  readonly #clock: Clock
  /** Oldest first. */
  readonly #waiting = new Map<number, Job>()
  #worker: Worker | undefined
  #stopTimer = () => {}
  #lastId = 0

  constructor(start: () => Worker, clock: Clock) {
    this.#start = start
    this.#clock = clock
  }

  /** Lines of coloured tokens; undefined for a language that is not known, and for what takes too long. */
  run(code: string, language: string): Promise<CodeLines | undefined> {
    this.#lastId += 1
    const request: HighlightRequest = { id: this.#lastId, code, language }
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
    worker.addEventListener('message', ({ data }: MessageEvent<HighlightResponse>) => {
      if (worker === this.#worker) this.#settle(data.id, data.lines)
    })
    // Without colours code can be read too.
    worker.addEventListener('error', () => {
      if (worker === this.#worker) for (const id of [...this.#waiting.keys()]) this.#settle(id, undefined)
    })
    return worker
  }

  #settle(id: number, lines: CodeLines | undefined): void {
    this.#waiting.get(id)?.give(lines)
    this.#waiting.delete(id)
    this.#watch()
  }

  /** From now on the oldest has the whole time. */
  #watch(): void {
    this.#stopTimer()
    if (this.#waiting.size > 0) this.#stopTimer = this.#clock.after(DEADLINE, () => this.#giveUp())
  }

  #giveUp(): void {
    this.#worker?.terminate()
    this.#worker = undefined
    const [oldest] = this.#waiting.keys()
    if (oldest !== undefined) this.#settle(oldest, undefined)
    for (const { request } of this.#waiting.values()) this.#thread().postMessage(request)
  }
}

const highlighter = new Highlighter(
  () => new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module', name: 'highlight' }),
  systemClock,
)

export const highlight = (code: string, language: string) => highlighter.run(code, language)
