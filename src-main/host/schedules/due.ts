import type { ScheduleTime } from '../../../src-shared/contract/schedules.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Milliseconds after which a run counts as missed. */
export const GRACE = 10 * MINUTE

/**
 * The first time after `after` at which a run is due. A wall time that the clocks skip is due an hour later, and one that they repeat
 * is due once, the first time.
 */
export function nextRun(time: ScheduleTime, after: number): number {
  if (time.is === 'every') return after + time.minutes * MINUTE
  const today = new Date(after)
  // From yesterday on, as the clocks may have moved its late hours into today.
  for (let ahead = -1; ahead <= 8; ahead++) {
    const date = [today.getFullYear(), today.getMonth(), today.getDate() + ahead] as const
    const due = new Date(...date, 0, time.minute).getTime()
    if (due > after && time.days.includes(new Date(Date.UTC(...date)).getUTCDay())) return due
  }
  return Number.POSITIVE_INFINITY
}

export interface Due {
  /** The latest time at which a run was due. */
  readonly at: number
  /** The first of those that were not run in time. */
  readonly since: number
  /** The number of those that were not run in time. */
  readonly missed: number
  /** True if the latest one is among them. */
  readonly isLate: boolean
}

/** The run that is due, counted from `from`; undefined when none is. */
export function dueNow(time: ScheduleTime, from: number, now: number): Due | undefined {
  const since = nextRun(time, from)
  if (since > now) return undefined
  let [at, missed] = [since, 0]
  // An interval counts from the last start, so only one run can be missing.
  while (time.is === 'at' && nextRun(time, at) <= now) {
    at = nextRun(time, at)
    missed += 1
  }
  const isLate = now - at > GRACE
  return { at, since, missed: isLate ? missed + 1 : missed, isLate }
}

/** True if the clock was set back so far that counting has to begin again. After less, nothing is run twice. */
export const wasSetBack = (from: number, now: number) => from - now > DAY
