import type { Clock } from '../../src-shared/base/clock.ts'

/** Lets the first value through at once and then at most one per `ms`, always the newest; what waits when `stop` is called is dropped. */
export function throttled<T>(clock: Clock, ms: number, run: (value: T) => void): { push: (value: T) => void; stop: () => void } {
  let waiting: { value: T } | undefined
  let cancel: (() => void) | undefined
  let stopped = false
  const rest = () => {
    cancel = clock.after(ms, () => {
      cancel = undefined
      if (!waiting) return
      const { value } = waiting
      waiting = undefined
      rest()
      run(value)
    })
  }
  return {
    push(value) {
      if (stopped) return
      if (cancel) {
        waiting = { value }
        return
      }
      rest()
      run(value)
    },
    stop() {
      stopped = true
      waiting = undefined
      cancel?.()
    },
  }
}
