import { expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { until } from '../../e2e/support/until.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { Upkeep } from './upkeep.ts'

it('upkeep runs each hour until the end, and a failure is reported and blocks nothing', async () => {
  const clock = new ManualClock()
  const lifetime = new Lifetime('upkeep')
  const told: string[] = []
  let done = 0
  const fails = { failed: 'The copy could not be made', run: () => Promise.reject(new Error('no room')) }
  const upkeep = new Upkeep([fails, { failed: 'never', run: async () => void done++ }], clock, lifetime, ({ message }) =>
    told.push(message),
  )
  upkeep.start()
  await until(() => clock.pending === 1, 'the first round')
  expect([told, done]).toEqual([['The copy could not be made: no room'], 1])
  clock.advance(3_600_000)
  await until(() => clock.pending === 1 && done === 2, 'the second round')
  await lifetime.end()
  expect([clock.pending, told.length]).toEqual([0, 2])
})
