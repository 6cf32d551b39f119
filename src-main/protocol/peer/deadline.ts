import type { Clock } from '../../../src-shared/base/clock.ts'

/** Something that is given up: after `idle` without a sign of life, or at `hardAt` whatever happens. The times belong to Deadlines. */
export interface Expiring {
  idle: number
  idleAt: number
  hardAt: number
  startedAt: number
  /** The last sign of life. */
  heardAt: number
  expire(why: 'idle' | 'maximum'): void
}

/**
 * The deadlines of one connection on one timer. They stand still while somebody holds them: a person reading a question is no
 * timeout. Times inside are *active* time, which does not pass while held, so that holding costs nothing per deadline.
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

  /** Milliseconds; `max` is never shorter than one idle time. */
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

  /** More time from now on for one whose deadline passed: `idle`, and in all no less than that or `max`. */
  extend(item: Expiring, idle: number, max = 0): void {
    const now = this.#active()
    item.idleAt = now + idle
    item.hardAt = Math.max(item.hardAt, now + Math.max(idle, max))
    this.#items.add(item)
    this.#arm(item.idleAt)
  }

  /** Milliseconds until it expires, if nothing is heard and time goes on. */
  remaining(item: Expiring): number {
    return Math.min(item.idleAt, item.hardAt) - this.#active()
  }

  /** A sign of life at `now`: the idle time starts again, the hard maximum does not (LIFE-31, LIFE-32). */
  touch(item: Expiring, now: number): void {
    item.heardAt = this.#active(now)
    item.idleAt = item.heardAt + item.idle
  }

  // The timer stays armed: one that finds nothing due costs less than one cleared per request.
  forget(item: Expiring): void {
    this.#items.delete(item)
  }

  /** Stops time for all. Counted; returns the release, which works once. */
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
