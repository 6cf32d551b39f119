import { fits, type Range } from '../../../src-shared/base/range.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import {
  EVERY_MINUTES,
  RUN_MINUTES,
  RUN_TOKENS,
  type ScheduleConfig,
  type ScheduleTime,
} from '../../../src-shared/contract/schedules.ts'
import { grouped } from '../../ui/amounts.ts'
import { clockOf, isSameDays, WORKDAYS } from './schedule-labels.ts'

const EVERY_DAY: readonly number[] = [0, 1, 2, 3, 4, 5, 6]
const UNITS = { minutes: 1, hours: 60, days: 24 * 60 } as const

export interface ScheduleDraft extends Pick<ScheduleConfig, 'name' | 'prompt' | 'project' | 'model' | 'servers' | 'missed'> {
  readonly when: 'daily' | 'workdays' | 'days' | 'interval'
  readonly days: readonly number[]
  /** As a time field has it: "09:00". */
  readonly clock: string
  readonly every: string
  readonly unit: keyof typeof UNITS
  readonly tokens: string
  readonly minutes: string
}

export const newSchedule = (servers: readonly ServerId[]): ScheduleDraft => ({
  name: '',
  prompt: '',
  project: null,
  model: null,
  servers,
  missed: 'once',
  when: 'workdays',
  days: [1],
  clock: '09:00',
  every: '1',
  unit: 'hours',
  tokens: '200000',
  minutes: '30',
})

export function draftOf({ time, tokens, minutes, ...config }: ScheduleConfig): ScheduleDraft {
  const fields = { ...newSchedule(config.servers), ...config, tokens: String(tokens), minutes: String(minutes) }
  if (time.is === 'every') {
    const unit = time.minutes % UNITS.days === 0 ? 'days' : time.minutes % UNITS.hours === 0 ? 'hours' : 'minutes'
    return { ...fields, when: 'interval', unit, every: String(time.minutes / UNITS[unit]) }
  }
  const when = isSameDays(time.days, EVERY_DAY) ? 'daily' : isSameDays(time.days, WORKDAYS) ? 'workdays' : 'days'
  return { ...fields, when, days: time.days, clock: clockOf(time.minute).padStart(5, '0') }
}

export type ScheduleProblems = Partial<Record<'prompt' | 'days' | 'clock' | 'every' | 'tokens' | 'minutes', string>>

export function scheduleProblems(draft: ScheduleDraft): ScheduleProblems {
  const { when } = draft
  return {
    ...(draft.prompt.trim() === '' && { prompt: 'Required' }),
    ...(when === 'days' && draft.days.length === 0 && { days: 'Choose a day.' }),
    ...(when !== 'interval' && minuteOf(draft.clock) === undefined && { clock: 'A time like 09:00' }),
    ...(when === 'interval' && !fits(everyOf(draft), EVERY_MINUTES) && { every: 'From 5 minutes to 31 days' }),
    ...(!fits(Number(draft.tokens), RUN_TOKENS) && { tokens: between(RUN_TOKENS) }),
    ...(!fits(Number(draft.minutes), RUN_MINUTES) && { minutes: between(RUN_MINUTES) }),
  }
}

const between = ({ least, most }: Range) => `From ${grouped(least)} to ${grouped(most)}`

export function scheduleConfigOf(draft: ScheduleDraft): ScheduleConfig {
  const { name, prompt, project, model, servers, missed, tokens, minutes } = draft
  return { name, prompt, time: timeOf(draft), project, model, servers, missed, tokens: Number(tokens), minutes: Number(minutes) }
}

function timeOf(draft: ScheduleDraft): ScheduleTime {
  if (draft.when === 'interval') return { is: 'every', minutes: everyOf(draft) }
  const days = draft.when === 'daily' ? EVERY_DAY : draft.when === 'workdays' ? WORKDAYS : draft.days
  return { is: 'at', minute: minuteOf(draft.clock) ?? 0, days }
}

const everyOf = ({ every, unit }: ScheduleDraft) => (every.trim() === '' ? 0 : Number(every) * UNITS[unit])

function minuteOf(clock: string): number | undefined {
  const [, hours, minutes] = /^(\d\d?):(\d\d)(?::\d\d)?$/.exec(clock.trim()) ?? []
  const minute = Number(hours) * 60 + Number(minutes)
  return Number(minutes) < 60 && minute < 24 * 60 ? minute : undefined
}
