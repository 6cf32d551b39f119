import { useEffect, useRef, useState } from 'react'
import { every, systemClock } from '../../src-shared/base/clock.ts'

/** The present time, updated every `ms` while mounted; fixed when `ms` is undefined. */
export function useNow(ms: number | undefined): number {
  const [now, setNow] = useState(() => systemClock.now())
  const pace = useRef(ms)
  useEffect(() => {
    if (ms === undefined) return
    // A newly mounted component has the present time already.
    if (pace.current !== ms) setNow(systemClock.now())
    pace.current = ms
    return every(systemClock, ms, () => setNow(systemClock.now()))
  }, [ms])
  return now
}

const STEPS: readonly (readonly [limit: number, unit: Intl.RelativeTimeFormatUnit, length: number])[] = [
  [3_600_000, 'minute', 60_000],
  [86_400_000, 'hour', 3_600_000],
  [7 * 86_400_000, 'day', 86_400_000],
]
// Creating a formatter takes longer than a hundred uses of it.
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** "4 Dec 2026", in the person's time zone. */
export const dayOf = (at: number) => (isTime(at) ? day.format(at) : 'an unknown day')

/** True if a Date can hold the time. */
export const isTime = (at: number) => Math.abs(at) <= 8.64e15

/** "just now", "5 minutes ago", "yesterday"; a date after a week. */
export function relativeTime(at: number, now: number): string {
  if (!isTime(at)) return 'at an unknown time'
  const difference = at - now
  const distance = Math.abs(difference)
  if (distance < 45_000) return difference > 1000 ? 'in a moment' : 'just now'
  for (const [limit, unit, length] of STEPS) {
    if (distance < limit) return relative.format(Math.round(difference / length) || (difference < 0 ? -1 : 1), unit)
  }
  return day.format(at)
}

/** "Friday, November 20, 2026 at 10:00:00 AM". */
export const exactTime = (at: number) => (isTime(at) ? moment.format(at) : 'Unknown time')

/** "4 s", "2 min 5 s", "1 h 12 min". */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** "60 seconds", "1 second", "10 minutes", "2 minutes 5 seconds": for sentences that are read aloud. */
export function inWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  if (seconds < 120) return plural(seconds, 'second')
  const minutes = plural(Math.floor(seconds / 60), 'minute')
  return seconds % 60 === 0 ? minutes : `${minutes} ${plural(seconds % 60, 'second')}`
}

const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`
