import type { ScheduleHead, SchedulePause, ScheduleRun, ScheduleTime } from '../../../src-shared/contract/schedules.ts'
import { counted, grouped, listed } from '../../ui/amounts.ts'
import { isTime } from '../../ui/time.ts'

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
export const WORKDAYS: readonly number[] = [1, 2, 3, 4, 5]

export const isSameDays = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((day) => other.includes(day))

/** "9:00" from the minute of the day. */
export const clockOf = (minute: number) => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`

/** "Every weekday at 9:00", "Every 2 hours". */
export function timeLabel(time: ScheduleTime): string {
  if (time.is === 'every') return `Every ${intervalLabel(time.minutes)}`
  const at = `at ${clockOf(time.minute)}`
  if (time.days.length === 7) return `Every day ${at}`
  if (isSameDays(time.days, WORKDAYS)) return `Every weekday ${at}`
  // A week is read from Monday on.
  const names = [1, 2, 3, 4, 5, 6, 0].flatMap((day) => (time.days.includes(day) ? (WEEKDAYS[day] ?? []) : []))
  return `${listed(names.map((name) => `${name}s`))} ${at}`
}

function intervalLabel(minutes: number): string {
  for (const [unit, length] of [
    ['day', 24 * 60],
    ['hour', 60],
  ] as const) {
    if (minutes % length === 0) return minutes === length ? unit : counted(minutes / length, unit)
  }
  return counted(minutes, 'minute')
}

// Creating a formatter takes longer than a hundred uses of it.
const nextTime = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})

export function nextLabel({ paused, next }: Pick<ScheduleHead, 'paused' | 'next'>): string {
  if (paused) return pauseLabel(paused)
  return next !== undefined && isTime(next) ? `Next: ${nextTime.format(next)}` : ''
}

function pauseLabel(paused: SchedulePause): string {
  if (paused.is === 'restored') return 'Paused. It came with a backup: read it and save it.'
  return paused.is === 'missing' ? `Paused. ${paused.what}` : 'Paused'
}

/** The outcome of a run, in a few words; `waits` if it asks the person something. */
export function runLabel({ is, times = 1, tokens, problem }: ScheduleRun, waits = false): string {
  const why = problem ? `: ${problem.what}` : ''
  switch (is) {
    case 'running':
      return waits ? 'Waits for your answer' : 'Running'
    case 'finished':
      return tokens ? `Done, ${grouped(tokens)} tokens` : 'Done'
    case 'failed':
      return `Failed${why}`
    case 'stopped':
      return `Stopped${why}`
    case 'interrupted':
      return `Interrupted${why}`
    case 'missed':
      return `Missed ${counted(times, 'time')}: Parley was closed or the computer slept`
    case 'skipped':
      return `Skipped ${counted(times, 'time')}: the previous run had not ended`
  }
}
