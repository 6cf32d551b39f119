import { expect, it } from 'vitest'
import type { HostSnapshot } from '../../src-shared/contract/events.ts'
import { callsAtQuit } from './quit-notice.ts'

type Snapshot = Pick<HostSnapshot, 'background' | 'servers'>
const call = (more: object) => ({
  id: 'c',
  conversationId: 'one',
  title: 'One',
  serverName: 'far',
  tool: 'report',
  since: 0,
  ...more,
})
const snapshot = (background: readonly object[]) =>
  ({ background, servers: { far: { launch: { type: 'remote' } }, near: { launch: { type: 'local' } } } }) as unknown as Snapshot

it('Quitting says which calls go on and which may be lost, and is silent about those that ended (TASK-34)', () => {
  const ended = call({ ended: 'finished' })
  const near = call({ serverId: 'near', serverName: 'near', tool: 'build' })
  expect(callsAtQuit(snapshot([call({ serverId: 'far' }), near, ended]))).toEqual([
    '“report” of far continues. Parley asks for its result at its next start.',
    '“build” of near may be lost, because its server stops too.',
  ])
  expect(callsAtQuit(snapshot([ended]))).toEqual([])
})

it('Quitting names ten calls at most (TASK-34)', () => {
  const lines = callsAtQuit(snapshot(Array.from({ length: 12 }, () => call({ serverId: 'far', tool: 'x'.repeat(500) }))))
  expect(lines).toHaveLength(11)
  expect(lines.at(-1)).toBe('And 2 more.')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200)
})
