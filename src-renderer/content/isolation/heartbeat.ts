import { type Clock, every } from '../../../src-shared/base/clock.ts'

/** Milliseconds. */
const INTERVAL = 5_000
/** Pings without an answer, in half a minute. */
const MOST_UNANSWERED = 6

/**
 * Pings until the undo is called, and reports silence once after `most` pings without an answer. It counts pings rather than
 * time, because a hidden page or a sleeping computer stops timers. Call `heard` for every message.
 */
export function heartbeat(
  clock: Clock,
  ping: () => void,
  onSilent: () => void,
  most = MOST_UNANSWERED,
): { heard: () => void; stop: () => void } {
  let unanswered = 0
  const stop = every(clock, INTERVAL, () => {
    if (unanswered < most) {
      unanswered += 1
      ping()
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
