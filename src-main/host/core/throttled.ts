import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Progress } from '../../../src-shared/mcp/primitives.ts'
import { cut } from './content-views.ts'

/** Milliseconds between two progress events of one call. */
const PROGRESS_INTERVAL = 100
/** Characters of a progress message. */
const MESSAGE_LIMIT = 300

/** Runs the first value at once and then the newest at most every `ms`. `stop` drops a value that waits. */
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

/** The same for a call's progress, with its message cut to length. */
export function throttledProgress(clock: Clock, show: (progress: Progress) => void): ReturnType<typeof throttled<Progress>> {
  return throttled(clock, PROGRESS_INTERVAL, ({ progress, total, message }) =>
    show({
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: cut(message, MESSAGE_LIMIT) }),
    }),
  )
}
