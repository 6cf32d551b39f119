import { useEffect, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import { useHost } from './host-store.ts'

/** How long a choice that allows something stands on screen before it can be taken. */
const ARMING_TIME = 400

/** False for the first 400 ms on a visible screen, so that nobody allows what appeared under the finger, and while the link is lost. */
export function useArmed(): boolean {
  const [armed, setArmed] = useState(false)
  const live = useHost((mirror) => mirror.link === 'live')
  useEffect(() => {
    if (armed) return
    let stop = () => {}
    const start = () => {
      stop()
      if (!document.hidden) stop = systemClock.after(ARMING_TIME, () => setArmed(true))
    }
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', start)
    }
  }, [armed])
  return armed && live
}
