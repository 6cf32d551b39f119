import { type RefObject, useCallback, useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { Tries } from './tries.ts'
import { useNear } from './use-near.ts'

export interface DueTry {
  /** Its number; undefined while none may be made: during a pause, and for later ones while nobody is near its place. */
  readonly number: number | undefined
  /** Milliseconds that it has, if the first has `first`. */
  readonly time: (first: number) => number
  /** It was late. */
  readonly late: () => void
  /** The person does not want to wait for the pause. */
  readonly now: () => void
}

/** Tries of work for what is shown at this place; only those after the first wait until it is near what is seen. */
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
