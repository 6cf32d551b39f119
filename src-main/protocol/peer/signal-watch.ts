/** Listeners of an abort signal. */
export interface Abortable {
  aborted(reason: unknown): void
}

/**
 * Waits for signals on behalf of many, with one listener on each signal for as long as anybody waits: requests in flight often
 * share one, and taking a listener off a signal costs the more the more are on it.
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

  /** The signal's `abort`: an object with this method is an event listener. */
  handleEvent(): void {
    for (const waiter of [...this.waiters]) waiter.aborted(this.signal.reason)
  }

  release(): void {
    this.signal.removeEventListener('abort', this)
  }
}
