import type { Clock } from '../../src-shared/base/clock.ts'
import { Emitter } from '../../src-shared/base/emitter.ts'

/** Milliseconds in which further updates of a resource count as one. */
const COALESCE = 100

/** The subscribed resources with the number of subscribers; other updates are dropped (RES-12). */
export class Subscriptions {
  readonly onUpdated = new Emitter<{ uri: string }>()
  readonly #clock: Clock
  readonly #onRemark: (text: string) => void
  readonly #counts = new Map<string, number>()
  /** Recently reported resources; true when another update came since. */
  readonly #recent = new Map<string, boolean>()
  readonly #timers = new Set<() => void>()

  constructor(clock: Clock, onRemark: (text: string) => void) {
    this.#clock = clock
    this.#onRemark = onRemark
  }

  get uris(): readonly string[] {
    return [...this.#counts.keys()]
  }

  /** True for the first subscriber, when the server must be asked. */
  add(uri: string): boolean {
    const count = this.#counts.get(uri) ?? 0
    this.#counts.set(uri, count + 1)
    return count === 0
  }

  /** True for the last subscriber, when the server must be told (RES-09). */
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

  /** Counts every resource as updated, when updates may have been missed. */
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

/** A subscription also covers resources below its own (RES-11). */
export function covers(subscribed: string, uri: string): boolean {
  if (uri === subscribed) return true
  return uri.startsWith(subscribed) && (subscribed.endsWith('/') || '/#?'.includes(uri.charAt(subscribed.length)))
}
