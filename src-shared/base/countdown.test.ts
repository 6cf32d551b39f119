import { expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import type { Clock } from './clock.ts'
import { countdown } from './countdown.ts'

/** A clock of a machine that is so busy that each timer comes `late` milliseconds after it was due. */
const slow = (clock: Clock, late: number): Clock => ({ now: () => clock.now(), after: (ms, run) => clock.after(ms + late, run) })

it('a countdown ends once, after its time, when timers are on time', () => {
  const clock = new ManualClock()
  let ends = 0
  countdown(clock, 3_000, () => ends++)
  clock.advance(2_999)
  expect(ends).toBe(0)
  clock.advance(1)
  expect(ends).toBe(1)
  expect(clock.pending).toBe(0)
})

it('a countdown counts a late timer as one step, so a busy or sleeping machine does not end it', () => {
  const clock = new ManualClock()
  let ends = 0
  countdown(slow(clock, 900), 3_000, () => ends++)
  clock.advance(29_000)
  expect(ends).toBe(0)
  clock.advance(1_000)
  expect(ends).toBe(1)
})

it('a cancelled countdown does not end', () => {
  const clock = new ManualClock()
  let ends = 0
  const stop = countdown(clock, 3_000, () => ends++)
  clock.advance(2_950)
  stop()
  clock.advance(9_000)
  expect([ends, clock.pending]).toEqual([0, 0])
})
