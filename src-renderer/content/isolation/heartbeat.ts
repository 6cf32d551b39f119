import { type Clock, every } from '../../../src-shared/base/clock.ts'

/** Milliseconds between two questions. */
const PACE = 5_000
/** Questions in a row without an answer. */
const MAX_COUNT = 6

/**
 * Asks again and again whether somebody is still there, and tells once when nothing was heard after half a minute of questions.
 * Questions are counted, not time: the timers of a hidden page rest for a minute, a sleeping computer's for a night. Returns what to
 * call at every sign of life, and the end of it.
 */
export function heartbeat(clock: Clock, ask: () => void, onSilent: () => void): { heard: () => void; stop: () => void } {
  let unanswered = 0
  const stop = every(clock, PACE, () => {
    if (unanswered < MAX_COUNT) {
      unanswered += 1
      ask()
    } else {
      stop()
      onSilent()
    }
  })
  return {
    heard: () => {
      unanswered = 0
    },
    stop,
  }
}
