import { type Clock, every } from './clock.ts'

/** Milliseconds of one step. */
const STEP = 100

/**
 * Calls `onEnd` after `ms` in small steps. They are counted, not time: while the machine is busy or asleep they come late, and what is
 * waited for had no more of it. Returns the undo.
 */
export function countdown(clock: Clock, ms: number, onEnd: () => void): () => void {
  let steps = Math.ceil(ms / STEP)
  const stop = every(clock, STEP, () => {
    steps -= 1
    if (steps > 0) return
    stop()
    onEnd()
  })
  return stop
}
