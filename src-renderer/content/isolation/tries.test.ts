import { expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { Tries } from './tries.ts'

it('late work is retried after longer and longer pauses, and at most eight times at first', () => {
  const clock = new ManualClock()
  const tries = new Tries(clock)
  const seen: [number, number][] = []
  for (let n = 0; n < 8; n += 1) {
    const before = clock.now()
    let due = false
    const time = tries.time(1_000)
    tries.late(() => {
      due = true
    })
    while (!due) clock.advance(1_000)
    seen.push([time, clock.now() - before])
  }
  expect(seen).toEqual([
    [1_000, 5_000],
    [2_000, 15_000],
    [4_000, 45_000],
    [8_000, 135_000],
    [8_000, 405_000],
    [8_000, 1_215_000],
    [8_000, 3_600_000],
    [8_000, 3_600_000],
  ])
})

it('late work is not retried after the end', () => {
  const clock = new ManualClock()
  const tries = new Tries(clock)
  tries.late(() => expect.unreachable())
  tries.end()
  clock.advance(60_000)
  expect(clock.pending).toBe(0)
})
