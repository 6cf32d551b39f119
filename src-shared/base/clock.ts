/** Time as a dependency, so that tests own it. Milliseconds throughout. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs once after `ms`; returns the undo. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Runs `run` every `ms` until the returned undo is called. */
export function every(clock: Clock, ms: number, run: () => void): () => void {
  let cancel = clock.after(ms, function tick() {
    cancel = clock.after(ms, tick)
    run()
  })
  return () => cancel()
}

/** Resolves after `ms`; rejects with the signal's reason when that comes first. */
export function delay(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = () => {
      cancel()
      reject(signal.reason)
    }
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** A clock that stands still until it is told to advance. */
export class ManualClock implements Clock {
  #now: number
  readonly #timers = new Set<{ at: number; run: () => void }>()

  constructor(now = 0) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), run }
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
    }
  }

  /** Moves time forward and runs what falls due, in order of time. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0]
      if (!due) break
      this.#timers.delete(due)
      this.#now = due.at
      due.run()
    }
    this.#now = end
  }

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.size
  }
}
