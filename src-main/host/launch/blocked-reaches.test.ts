import { expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { BlockedReaches } from './blocked-reaches.ts'

const CLOSED = { network: 'none' as const, folders: [] }
const host = (name: string) => ({ kind: 'host' as const, name })

it('refused hosts are counted, with the last time of each', () => {
  const clock = new ManualClock()
  const blocked = new BlockedReaches(clock)
  expect(blocked.add(host('a.example'))).toBe(true)
  clock.advance(1_000)
  expect(blocked.add({ ...host('a.example'), guessed: true })).toBe(false)
  expect(blocked.beyond(CLOSED)).toEqual([{ kind: 'host', name: 'a.example', times: 2, at: clock.now() }])
})

it('refused hosts of a flood are kept up to a limit, and none of the others is told', () => {
  const blocked = new BlockedReaches(new ManualClock())
  const told = Array.from({ length: 5_000 }, (_, n) => blocked.add(host(`${n}.example`))).filter(Boolean)
  expect([told.length, blocked.beyond(CLOSED).length]).toEqual([50, 50])
})

it('a collection holds what was blocked since it began, once each', () => {
  const blocked = new BlockedReaches(new ManualClock())
  blocked.add(host('early.example'))
  blocked.add(host('both.example'))
  const collected = blocked.collect()
  for (const name of ['late.example', 'both.example', 'late.example']) blocked.add(host(name))
  expect(collected()).toEqual([host('both.example'), host('late.example')])
})
