import { expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { RefusedHosts } from './refused-hosts.ts'

it('refused hosts are counted, with the last time of each', () => {
  const clock = new ManualClock()
  const refused = new RefusedHosts(clock)
  expect(refused.add('a.example')).toBe(true)
  clock.advance(1_000)
  expect(refused.add('a.example')).toBe(false)
  expect(refused.all()).toEqual([{ host: 'a.example', times: 2, at: clock.now() }])
})

it('refused hosts of a flood are kept up to a limit, and none of the others is told', () => {
  const refused = new RefusedHosts(new ManualClock())
  const told = Array.from({ length: 5_000 }, (_, n) => refused.add(`${n}.example`)).filter(Boolean)
  expect([told.length, refused.size]).toEqual([50, 50])
})
