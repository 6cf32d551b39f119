import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { dueNow, GRACE, nextRun, wasSetBack } from './due.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
const zone = process.env.TZ

afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

/** Zones whose clocks move by an hour, by half an hour, at midnight, never, and over a whole day. */
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Kolkata', 'Pacific/Apia']
const moment = fc.integer({ min: Date.UTC(2010, 0), max: Date.UTC(2030, 0) })
const minuteOfDay = fc.integer({ min: 0, max: 24 * 60 - 1 })
const daysOfWeek = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 })

it.each(ZONES)('A daily run in %s is due once each day, at its wall time unless the clocks skip it', (name) => {
  process.env.TZ = name
  fc.assert(
    fc.property(moment, minuteOfDay, (after, minute) => {
      const due = nextRun({ is: 'at', minute, days: EVERY_DAY }, after)
      // Apia had no 30 December 2011.
      expect(due - after).toBeLessThanOrEqual(name === 'Pacific/Apia' ? 2 * DAY : DAY + 60 * MINUTE)
      expect(due).toBeGreaterThan(after)
      const at = new Date(due)
      const reached = at.getHours() * 60 + at.getMinutes()
      if (reached === minute) return
      // Such a wall time does not exist on that day.
      const gap = reached - minute
      expect(gap === 60 || gap === 30).toBe(true)
      expect(new Date(due - gap * MINUTE).getHours() * 60 + new Date(due - gap * MINUTE).getMinutes()).not.toBe(minute)
    }),
    { numRuns: 2_000 },
  )
})

it.each(ZONES)('Runs in %s follow each other on the chosen days alone, none twice', (name) => {
  process.env.TZ = name
  fc.assert(
    fc.property(moment, minuteOfDay, daysOfWeek, (from, minute, days) => {
      const dates = new Set<string>()
      let at = from
      for (let n = 0; n < 20; n++) {
        at = nextRun({ is: 'at', minute, days }, at)
        const day = new Date(at)
        const isMoved = day.getHours() * 60 + day.getMinutes() !== minute
        if (!isMoved) expect(days).toContain(day.getDay())
        expect(dates).not.toContain(day.toDateString())
        dates.add(day.toDateString())
      }
    }),
    { numRuns: 200 },
  )
})

it('A run at 2:30 is due at 3:30 where the clocks skip 2:30, and once where they repeat it', () => {
  process.env.TZ = 'Europe/Berlin'
  const at = { is: 'at', minute: 150, days: EVERY_DAY } as const
  const spring = nextRun(at, Date.UTC(2026, 2, 28, 23, 0))
  expect(new Date(spring).toISOString()).toBe('2026-03-29T01:30:00.000Z')
  const autumn = nextRun(at, Date.UTC(2026, 9, 24, 22, 0))
  expect(new Date(autumn).toISOString()).toBe('2026-10-25T00:30:00.000Z')
  expect(new Date(nextRun(at, autumn)).toISOString()).toBe('2026-10-26T01:30:00.000Z')
})

it('An interval counts from the last start, over a change of the clocks as well', () => {
  process.env.TZ = 'Europe/Berlin'
  const start = Date.UTC(2026, 2, 29, 0, 30)
  expect(nextRun({ is: 'every', minutes: 120 }, start)).toBe(start + 120 * MINUTE)
})

it('The latest run is due, and those before it are missed, however long the computer slept', () => {
  const at = { is: 'at', minute: 540, days: EVERY_DAY } as const
  const monday = new Date(2026, 5, 1, 9, 0).getTime()
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: DAY - 1 }), (days, past) => {
      const due = dueNow(at, monday - 1, monday + days * DAY + past)
      const isLate = past > GRACE
      expect(due).toEqual({ at: monday + days * DAY, since: monday, missed: days + (isLate ? 1 : 0), isLate })
    }),
  )
})

it('One run of an interval is missing however long the computer slept', () => {
  const every = { is: 'every', minutes: 60 } as const
  expect(dueNow(every, 0, 59 * MINUTE)).toBeUndefined()
  expect(dueNow(every, 0, 60 * MINUTE)).toEqual({ at: 60 * MINUTE, since: 60 * MINUTE, missed: 0, isLate: false })
  expect(dueNow(every, 0, 10 * DAY)).toEqual({ at: 60 * MINUTE, since: 60 * MINUTE, missed: 1, isLate: true })
})

it('A clock that is set back by up to a day runs nothing twice, and by more begins to count again', () => {
  const at = { is: 'at', minute: 540, days: EVERY_DAY } as const
  const ran = new Date(2026, 5, 1, 9, 0).getTime()
  expect(dueNow(at, ran, ran - 60 * MINUTE)).toBeUndefined()
  expect(dueNow(at, ran, ran)).toBeUndefined()
  expect(wasSetBack(ran, ran - DAY)).toBe(false)
  expect(wasSetBack(ran, ran - DAY - 1)).toBe(true)
})

it('A schedule without a day is never due', () => {
  expect(nextRun({ is: 'at', minute: 0, days: [] }, 0)).toBe(Number.POSITIVE_INFINITY)
})
