import { type Clock, every } from './clock.ts'

/** Milliseconds. */
const STEP = 100

/**
 * Calls `onEnd` after `ms`, counted in small steps instead of wall time: a busy or sleeping machine delays the steps and the awaited
 * work alike. Returns the undo.
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
