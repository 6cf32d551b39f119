import { type RefObject, useCallback, useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { Tries } from './tries.ts'
import { useNear } from './use-near.ts'

interface DueTry {
  /** The number of the attempt; undefined during a pause, and for later attempts far from the visible part. */
  readonly number: number | undefined
  /** Milliseconds for this attempt when the first has `first`. */
  readonly time: (first: number) => number
  /** Reports a late attempt. */
  readonly late: () => void
  /** Ends the pause. */
  readonly now: () => void
}

/** Repeats late work for content at this place. Attempts after the first wait until it is near the visible part. */
export function useTries(place: RefObject<HTMLElement | null>): DueTry {
  const [tries] = useState(() => new Tries(systemClock))
  const [number, setNumber] = useState(0)
  const [paused, setPaused] = useState(false)
  const near = useNear(place, number)
  useEffect(() => () => tries.end(), [tries])
  const now = useCallback(() => {
    tries.end()
    setPaused(false)
  }, [tries])
  const late = useCallback(() => {
    setNumber((before) => before + 1)
    setPaused(true)
    tries.late(() => setPaused(false))
  }, [tries])
  const time = useCallback((first: number) => tries.time(first), [tries])
  return { number: paused || (number > 0 && !near) ? undefined : number, time, late, now }
}
