import { useEffect, useState } from 'react'
import { every, systemClock } from '../../../src-shared/base/clock.ts'
import { ask } from '../../state/ask.ts'

/** Milliseconds. */
const INTERVAL = 500

/** The progress of a backup in the host, 0 to 1, while `busy`; undefined while unknown. */
export function useShare(busy: boolean): number | undefined {
  const [share, setShare] = useState<number>()
  useEffect(() => {
    setShare(undefined)
    if (!busy) return
    return every(systemClock, INTERVAL, () => {
      // A failed request is repeated by the next.
      ask('backup.progress', {}).then(
        ({ share: current }) => current !== null && setShare(current),
        () => {},
      )
    })
  }, [busy])
  return share
}
