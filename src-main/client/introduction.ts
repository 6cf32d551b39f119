import type { Clock } from '../../src-shared/base/clock.ts'
import { Emitter } from '../../src-shared/base/emitter.ts'
import type { Session } from '../protocol/era.ts'
import { Freshness } from './freshness.ts'

/** Milliseconds between two doubts, however often it does not do what it declared. */
const DOUBT_EVERY = 30_000
/** Milliseconds between two new names that are told. */
const RENAMED_EVERY = 1_000

interface IntroductionParts {
  readonly session: Session
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly requestTimeout: number
  readonly onRemark: (text: string) => void
}

/** The server's description of itself, requested again when it may have changed (V26-DISC-5). Nothing is requested in a session. */
export class Introduction {
  /** It says something else of itself now. */
  readonly onChange = new Emitter<void>()
  readonly #parts: IntroductionParts
  readonly #fresh: Freshness
  #doubtedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined
  #cancelTelling: (() => void) | undefined

  constructor(parts: IntroductionParts) {
    this.#parts = parts
    this.#fresh = new Freshness(parts.clock)
    this.#read()
    parts.session.onRenamed = () => this.#renamed()
    parts.signal.addEventListener('abort', () => this.#cancelTelling?.(), { once: true })
  }

  /** Somebody needs to know. Never rejects. */
  async freshen(): Promise<void> {
    if (this.#asking || this.#fresh.due) await this.#ask()
  }

  /** The server does not do what it declared. */
  doubt(): void {
    const now = this.#parts.clock.now()
    if (Math.abs(now - this.#doubtedAt) < DOUBT_EVERY) return
    this.#doubtedAt = now
    void this.#ask()
  }

  /** A server may change its name in each result: the latest is announced after a pause. */
  #renamed(): void {
    const { clock, signal } = this.#parts
    if (this.#cancelTelling || signal.aborted) return
    this.#cancelTelling = clock.after(RENAMED_EVERY, () => {
      this.#cancelTelling = undefined
      this.onChange.fire()
    })
  }

  #read(): void {
    this.#fresh.read(this.#fresh.ends(this.#parts.session.helloTtl ?? Number.POSITIVE_INFINITY))
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#rediscover().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #rediscover(): Promise<void> {
    const { session, signal, requestTimeout: timeout, onRemark } = this.#parts
    if (!session.rediscover || signal.aborted) return
    const before = JSON.stringify(session.hello)
    try {
      await session.rediscover({ signal, timeout, maxTime: timeout, aside: true })
      this.#read()
    } catch (error) {
      this.#fresh.read(undefined)
      if (!signal.aborted) onRemark(`The server could not be discovered again: ${String(error)}`)
      return
    }
    if (JSON.stringify(session.hello) !== before) this.onChange.fire()
  }
}
