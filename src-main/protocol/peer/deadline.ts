import type { Clock } from '../../../src-shared/base/clock.ts'

/** Expires after `idle` without activity, or at `hardAt` in any case. Only Deadlines changes the times. */
export interface Expiring {
  idle: number
  idleAt: number
  hardAt: number
  startedAt: number
  /** The last activity. */
  heardAt: number
  expire(why: 'idle' | 'maximum'): void
}

/**
 * The deadlines of one connection on one timer. They pause while held, so that a person can read a question without a timeout.
 * Inside, times are *active* time, which stops while held, so that a hold costs nothing per deadline.
 */
export class Deadlines {
  readonly #clock: Clock
  readonly #items = new Set<Expiring>()
  #armedFor = Number.POSITIVE_INFINITY
  #disarm: (() => void) | undefined
  #holds = 0
  #heldSince = 0
  #heldTotal = 0
  #stopped = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get held(): boolean {
    return this.#holds > 0
  }

  /** `idle` and `max` in milliseconds; `max` counts as at least one idle time. */
  watch(item: Expiring, idle: number, max: number): void {
    const now = this.#active()
    item.idle = idle
    item.startedAt = now
    item.heardAt = now
    item.idleAt = now + idle
    item.hardAt = now + Math.max(idle, max)
    this.#items.add(item)
    this.#arm(item.idleAt)
  }

  /** Extends a passed deadline by `idle` from now, and the maximum by at least `idle` or `max`. */
  extend(item: Expiring, idle: number, max = 0): void {
    const now = this.#active()
    item.idleAt = now + idle
    item.hardAt = Math.max(item.hardAt, now + Math.max(idle, max))
    this.#items.add(item)
    this.#arm(item.idleAt)
  }

  /** Milliseconds until it expires without activity. */
  remaining(item: Expiring): number {
    return Math.min(item.idleAt, item.hardAt) - this.#active()
  }

  /** Restarts the idle time, but not the hard maximum (LIFE-31, LIFE-32). */
  touch(item: Expiring, now: number): void {
    item.heardAt = this.#active(now)
    item.idleAt = item.heardAt + item.idle
  }

  // The timer stays armed: firing in vain costs less than clearing it for each request.
  forget(item: Expiring): void {
    this.#items.delete(item)
  }

  /** Pauses all deadlines until every hold is released. Returns the release, which works once. */
  hold(): () => void {
    if (this.#holds++ === 0) {
      this.#heldSince = this.#clock.now()
      this.#cancelTimer()
    }
    let released = false
    return () => {
      if (released) return
      released = true
      if (--this.#holds > 0) return
      this.#heldTotal += this.#clock.now() - this.#heldSince
      this.#arm(this.#next())
    }
  }

  stop(): void {
    this.#stopped = true
    this.#items.clear()
    this.#cancelTimer()
  }

  #active(now = this.#clock.now()): number {
    return (this.#holds > 0 ? this.#heldSince : now) - this.#heldTotal
  }

  #arm(at: number): void {
    if (this.#stopped || this.#holds > 0 || at >= this.#armedFor) return
    this.#cancelTimer()
    this.#armedFor = at
    this.#disarm = this.#clock.after(Math.max(0, at - this.#active()), () => this.#fire())
  }

  #cancelTimer(): void {
    this.#disarm?.()
    this.#disarm = undefined
    this.#armedFor = Number.POSITIVE_INFINITY
  }

  #next(): number {
    let next = Number.POSITIVE_INFINITY
    for (const item of this.#items) next = Math.min(next, item.idleAt, item.hardAt)
    return next
  }

  #fire(): void {
    this.#disarm = undefined
    this.#armedFor = Number.POSITIVE_INFINITY
    const now = this.#active()
    for (const item of [...this.#items]) {
      if (item.hardAt > now && item.idleAt > now) continue
      this.#items.delete(item)
      item.expire(item.idleAt <= now ? 'idle' : 'maximum')
    }
    const next = this.#next()
    if (next !== Number.POSITIVE_INFINITY) this.#arm(next)
  }
}
