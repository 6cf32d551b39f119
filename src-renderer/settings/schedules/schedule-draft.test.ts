import { expect, it } from 'vitest'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { type ScheduleConfig, type ScheduleTime, scheduleConfig } from '../../../src-shared/contract/schedules.ts'
import { draftOf, newSchedule, scheduleConfigOf, scheduleProblems } from './schedule-draft.ts'
import { nextLabel, runLabel, timeLabel } from './schedule-labels.ts'

const FRESH = { ...newSchedule(['notes' as ServerId]), prompt: 'Sum up.' }
const CONFIG = scheduleConfigOf(FRESH)

it('A new schedule runs each weekday at nine, within limits', () => {
  expect(scheduleProblems(FRESH)).toEqual({})
  expect(scheduleConfig().parse(CONFIG)).toEqual(CONFIG)
  expect(CONFIG.time).toEqual({ is: 'at', minute: 540, days: [1, 2, 3, 4, 5] })
})

it.each<[ScheduleTime, string]>([
  [{ is: 'at', minute: 540, days: [5, 4, 3, 2, 1] }, 'Every weekday at 9:00'],
  [{ is: 'at', minute: 5, days: [0, 1, 2, 3, 4, 5, 6] }, 'Every day at 0:05'],
  [{ is: 'at', minute: 1_290, days: [0, 1, 3] }, 'Mondays, Wednesdays and Sundays at 21:30'],
  [{ is: 'every', minutes: 5 }, 'Every 5 minutes'],
  [{ is: 'every', minutes: 60 }, 'Every hour'],
  [{ is: 'every', minutes: 90 }, 'Every 90 minutes'],
  [{ is: 'every', minutes: 120 }, 'Every 2 hours'],
  [{ is: 'every', minutes: 2_880 }, 'Every 2 days'],
])('%j is kept by the form and reads “%s”', (time, words) => {
  const config: ScheduleConfig = { ...CONFIG, time }
  expect(scheduleProblems(draftOf(config))).toEqual({})
  const kept = scheduleConfigOf(draftOf(config)).time
  expect(timeLabel(kept)).toBe(words)
  expect(timeLabel(time)).toBe(words)
})

it.each([
  ['an empty prompt', { prompt: ' ' }, 'prompt'],
  ['no day', { when: 'days' as const, days: [] }, 'days'],
  ['no time', { clock: '' }, 'clock'],
  ['a minute past the day', { clock: '24:00' }, 'clock'],
  ['an interval that is too short', { when: 'interval' as const, unit: 'minutes' as const, every: '4' }, 'every'],
  ['no interval', { when: 'interval' as const, every: '' }, 'every'],
  ['too few tokens', { tokens: '999' }, 'tokens'],
  ['half a minute', { minutes: '0.5' }, 'minutes'],
])('A form with %s says so at the field', (_what, part, field) => {
  expect(Object.keys(scheduleProblems({ ...FRESH, ...part }))).toEqual([field])
})

it('A run says how it ended, and that it waits', () => {
  const at = 0
  expect(runLabel({ is: 'running', at }, true)).toBe('Waits for your answer')
  expect(runLabel({ is: 'running', at })).toBe('Running')
  expect(runLabel({ is: 'finished', at, tokens: 1_200 })).toBe('Done, 1,200 tokens')
  expect(runLabel({ is: 'stopped', at, problem: { code: 'time-limit', what: 'It was too long.' } })).toBe(
    'Stopped: It was too long.',
  )
  expect(runLabel({ is: 'skipped', at, times: 3 })).toBe('Skipped 3 times: the previous run had not ended')
})

it('A paused schedule says why instead of when', () => {
  expect(nextLabel({ paused: { is: 'missing', what: 'Its project was removed.' }, next: 0 })).toBe(
    'Paused. Its project was removed.',
  )
  expect(nextLabel({ paused: { is: 'restored' } })).toBe('Paused. It came with a backup: read it and save it.')
  expect(nextLabel({ next: new Date(2026, 5, 1, 9, 0).getTime() })).toBe('Next: Mon 1 Jun, 9:00')
})
