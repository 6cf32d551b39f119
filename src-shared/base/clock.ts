/** Time as a dependency, so that tests can move it. Milliseconds throughout. */
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

/** Up to a quarter longer, so that clients turned away together do not retry together. `random` is between 0 and 1. */
export function jittered(ms: number, random: () => number = Math.random): number {
  return ms * (1 + random() / 4)
}

/** A signal that aborts with any of `signals`, or with `reason()` after `ms`, for as long as it is in use. */
export function timeLimit(
  clock: Pick<Clock, 'after'>,
  ms: number,
  reason: (() => unknown) | undefined,
  ...signals: AbortSignal[]
): Disposable & { readonly signal: AbortSignal } {
  const limit = new AbortController()
  const cancel = clock.after(ms, () => limit.abort(reason?.()))
  return { signal: AbortSignal.any([...signals, limit.signal]), [Symbol.dispose]: cancel }
}

/** Waits for `work`, but no longer than `ms`. */
export async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const limit = Promise.withResolvers<void>()
  const cancel = clock.after(ms, limit.resolve)
  try {
    await Promise.race([work, limit.promise])
  } finally {
    cancel()
  }
}
