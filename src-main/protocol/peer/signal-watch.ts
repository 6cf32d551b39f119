export interface Abortable {
  aborted(reason: unknown): void
}

/**
 * One listener on each signal for all waiters: requests often share a signal, and removing a listener gets slower with their
 * number.
 */
export class SignalWatch {
  readonly #watched = new Map<AbortSignal, Watched>()

  add(signal: AbortSignal, waiter: Abortable): void {
    let watched = this.#watched.get(signal)
    if (!watched) {
      watched = new Watched(signal)
      this.#watched.set(signal, watched)
    }
    watched.waiters.add(waiter)
  }

  remove(signal: AbortSignal, waiter: Abortable): void {
    const watched = this.#watched.get(signal)
    if (!watched?.waiters.delete(waiter) || watched.waiters.size > 0) return
    watched.release()
    this.#watched.delete(signal)
  }
}

class Watched {
  readonly signal: AbortSignal
  readonly waiters = new Set<Abortable>()

  constructor(signal: AbortSignal) {
    this.signal = signal
    signal.addEventListener('abort', this, { once: true })
  }

  /** Makes this object the listener of the signal's `abort`. */
  handleEvent(): void {
    for (const waiter of [...this.waiters]) waiter.aborted(this.signal.reason)
  }

  release(): void {
    this.signal.removeEventListener('abort', this)
  }
}
