import { expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { until } from '../../e2e/support/until.ts'
import { answeringHost } from '../../e2e/test-hosts/answering-host.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { readStartWays, WAITED } from './start-ways.ts'

const [one, two, three] = ['one', 'two', 'three'] as [ServerId, ServerId, ServerId]
const proposal = { network: 'none' as const, folders: [] }
const about = { proposal, suggestions: [], known: false, blocked: [] }

it('a first start offers the fence that is known, and no watch of several or where there is no fence', async () => {
  const problem = { code: 'no-fence', what: 'None here.' }
  const asked = answeringHost({
    'fence.read': ({ serverId }) => (serverId === two ? { ...about, problem } : about),
    'fence.watched': () => ({ folders: [], hosts: [], programs: [], missed: 0 }) as never,
  })
  const clock = new ManualClock()
  expect([...(await readStartWays([one], clock))]).toEqual([[one, { ...about, canWatch: true }]])
  expect([...(await readStartWays([one, two, three], clock)).keys()]).toEqual([one, two, three])
  expect([...(await readStartWays([two], clock))]).toEqual([[two, { ...about, problem, canWatch: false }]])
  expect(asked.filter(({ name }) => name === 'fence.watched')).toHaveLength(1)
})

it('a first start is asked about in time, without the choices of a server that is not read by then', async () => {
  answeringHost({ 'fence.read': ({ serverId }) => (serverId === two ? (new Promise(() => {}) as never) : about) })
  const clock = new ManualClock()
  let ways: ReadonlyMap<ServerId, unknown> | undefined
  void readStartWays([one, two], clock).then((found) => (ways = found))
  await until(() => {
    clock.advance(WAITED)
    return ways !== undefined
  }, 'the question to be shown')
  expect([...(ways ?? [])].map(([id]) => id)).toEqual([one])
})
