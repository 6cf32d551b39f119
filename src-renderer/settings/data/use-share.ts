import { useEffect, useState } from 'react'
import { every, systemClock } from '../../../src-shared/base/clock.ts'
import { ask } from '../../state/ask.ts'

const PACE = 500

/** How far the host is with a backup, 0 to 1, while `busy`; undefined before that is known. */
export function useShare(busy: boolean): number | undefined {
  const [share, setShare] = useState<number>()
  useEffect(() => {
    setShare(undefined)
    if (!busy) return
    return every(systemClock, PACE, () => {
      // Only shown: a question that fails is asked again.
      ask('backup.progress', {}).then(
        ({ share: said }) => said !== null && setShare(said),
        () => {},
      )
    })
  }, [busy])
  return share
}
