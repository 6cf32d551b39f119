import { expect, it } from 'vitest'
import type { HostSnapshot } from '../src-shared/contract/events.ts'
import type { ServerRecord } from '../src-shared/contract/servers.ts'
import { inboxWaits } from './inbox-waits.ts'

it('the rail and a narrow window say the same about the Inbox: its questions, and each place that a fence kept out', () => {
  const server = (id: string, ...names: readonly string[]) =>
    ({ id, ...(names.length > 0 && { blocked: names.map((name) => ({ kind: 'host', name })) }) }) as unknown as ServerRecord
  const some = [server('a', 'x.example', 'y.example'), server('b'), server('c', 'x.example')]
  const servers = Object.fromEntries(some.map((one) => [one.id, one]))
  const interactions = [{}, {}] as unknown as HostSnapshot['interactions']
  expect(inboxWaits({ interactions, servers })).toEqual({ count: 5, words: '2 open questions, 3 kept out by fences' })
  expect(inboxWaits({ interactions: [], servers })).toEqual({ count: 3, words: '3 kept out by fences' })
  expect(inboxWaits({ interactions: [], servers: {} }).words).toBe('')
})
