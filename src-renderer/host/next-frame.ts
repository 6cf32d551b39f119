import type { Clock } from '../../src-shared/base/clock.ts'
import type { Soon } from './host-link.ts'

/** A hidden page paints no frames but still follows the host. Milliseconds. */
const MAX_WAIT = 200

/** Runs before the next paint, or after MAX_WAIT when there is none. */
export function nextFrame(clock: Clock): Soon {
  return (run) => {
    const end = () => {
      cancelAnimationFrame(frame)
      stop()
      run()
    }
    const frame = requestAnimationFrame(end)
    const stop = clock.after(MAX_WAIT, end)
  }
}
