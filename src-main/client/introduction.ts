import type { Clock } from '../../src-shared/base/clock.ts'
import { Emitter } from '../../src-shared/base/emitter.ts'
import type { Session } from '../protocol/era.ts'
import { Freshness } from './freshness.ts'

/** Minimum milliseconds between two requests after a doubt. */
const DOUBT_INTERVAL = 30_000
/** Milliseconds between two announcements of a new name. */
const RENAMED_INTERVAL = 1_000

interface IntroductionParts {
  readonly session: Session
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly requestTimeout: number
  readonly onRemark: (text: string) => void
}

/** Requests the server's introduction again when it may have changed (V26-DISC-5), in the modern era alone. */
export class Introduction {
  readonly onChange = new Emitter<void>()
  readonly #parts: IntroductionParts
  readonly #fresh: Freshness
  #doubtedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined
  #cancelAnnouncement: (() => void) | undefined

  constructor(parts: IntroductionParts) {
    this.#parts = parts
    this.#fresh = new Freshness(parts.clock)
    this.#read()
    parts.session.onRenamed = () => this.#renamed()
    parts.signal.addEventListener('abort', () => this.#cancelAnnouncement?.(), { once: true })
  }

  /** Reloads a stale introduction before a use. Never rejects. */
  async freshen(): Promise<void> {
    if (this.#asking || this.#fresh.due) await this.#ask()
  }

  /** Called when the server does not do what it declared. */
  doubt(): void {
    const now = this.#parts.clock.now()
    if (Math.abs(now - this.#doubtedAt) < DOUBT_INTERVAL) return
    this.#doubtedAt = now
    void this.#ask()
  }

  /** A server may change its name with each result, so the latest is announced after a pause. */
  #renamed(): void {
    const { clock, signal } = this.#parts
    if (this.#cancelAnnouncement || signal.aborted) return
    this.#cancelAnnouncement = clock.after(RENAMED_INTERVAL, () => {
      this.#cancelAnnouncement = undefined
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
