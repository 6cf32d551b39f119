import type { Clock } from '../../src-shared/base/clock.ts'
import { Emitter } from '../../src-shared/base/emitter.ts'

/** Milliseconds in which further updates of the same resource are told once. */
const COALESCE = 100

/** Which resources we asked to hear of, and how often; updates of anything else are dropped (RES-12). */
export class Subscriptions {
  readonly onUpdated = new Emitter<{ uri: string }>()
  readonly #clock: Clock
  readonly #onRemark: (text: string) => void
  readonly #counts = new Map<string, number>()
  /** Resources told lately; true when another update came since. */
  readonly #recent = new Map<string, boolean>()
  readonly #timers = new Set<() => void>()

  constructor(clock: Clock, onRemark: (text: string) => void) {
    this.#clock = clock
    this.#onRemark = onRemark
  }

  /** Resources that somebody follows. */
  get uris(): readonly string[] {
    return [...this.#counts.keys()]
  }

  /** True when the server has to be asked: this is the first interest in the resource. */
  add(uri: string): boolean {
    const count = this.#counts.get(uri) ?? 0
    this.#counts.set(uri, count + 1)
    return count === 0
  }

  /** True when the server has to be told: this was the last interest. False also for what was never subscribed (RES-09). */
  remove(uri: string): boolean {
    const count = this.#counts.get(uri) ?? 0
    if (count > 1) this.#counts.set(uri, count - 1)
    else this.#counts.delete(uri)
    return count === 1
  }

  updated(uri: unknown): void {
    if (typeof uri !== 'string' || !this.#covers(uri)) {
      this.#onRemark('The server reported a change of a resource that nobody subscribed to; ignored.')
      return
    }
    if (this.#recent.has(uri)) {
      this.#recent.set(uri, true)
      return
    }
    this.#tell(uri)
  }

  /** Updates may have been missed: each counts as updated. */
  missed(): void {
    for (const uri of this.#counts.keys()) this.updated(uri)
  }

  stop(): void {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }

  #tell(uri: string): void {
    this.#recent.set(uri, false)
    const cancel = this.#clock.after(COALESCE, () => {
      this.#timers.delete(cancel)
      const again = this.#recent.get(uri)
      this.#recent.delete(uri)
      if (again && this.#covers(uri)) this.#tell(uri)
    })
    this.#timers.add(cancel)
    try {
      this.onUpdated.fire({ uri })
    } catch (error) {
      this.#onRemark(`An update could not be handled: ${String(error)}`)
    }
  }

  #covers(uri: string): boolean {
    if (this.#counts.has(uri)) return true
    return [...this.#counts.keys()].some((subscribed) => covers(subscribed, uri))
  }
}

/** A subscription covers what lies below it, too (RES-11). */
export function covers(subscribed: string, uri: string): boolean {
  if (uri === subscribed) return true
  return uri.startsWith(subscribed) && (subscribed.endsWith('/') || '/#?'.includes(uri.charAt(subscribed.length)))
}
