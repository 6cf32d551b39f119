import type { Clock } from '../../src-shared/base/clock.ts'
import type { Soon } from './host-link.ts'

/** A page that is not on screen paints no frames, and must know all the same. */
const LATEST = 200

/** Before the next frame is painted, or a little later where none is. */
export function nextFrame(clock: Clock): Soon {
  return (run) => {
    const end = () => {
      cancelAnimationFrame(frame)
      stop()
      run()
    }
    const frame = requestAnimationFrame(end)
    const stop = clock.after(LATEST, end)
  }
}
