import { expect, it } from 'vitest'
import type { ConversationHead, ToolCall } from '../../src-shared/contract/conversations.ts'
import type { HostSnapshot } from '../../src-shared/contract/events.ts'
import type { ConversationId, ToolCallId } from '../../src-shared/contract/ids.ts'
import type { ServerRecord, ServerState } from '../../src-shared/contract/servers.ts'
import type { HostMirror } from './mirror.ts'
import { callsOfApp, isAppAsked, serverProblems, workingLabel } from './selectors.ts'

const at = { at: 0, problem: { code: 'x', what: 'x' }, stderr: [] }
const STATES: Readonly<Record<string, ServerState>> = {
  ready: { is: 'ready', since: 0 },
  failed: { is: 'failed', ...at },
  starting: { is: 'starting', since: 0, step: 'launching', attempt: 1 },
  stopped: { is: 'stopped', why: 'stopped' },
  asking: { is: 'asking', since: 0 },
}

function amiss(...words: readonly string[]) {
  const servers = words.map((word, n) => {
    const [state = '', more] = word.split(' ')
    // Only what is looked at.
    return { id: `s${n}`, state: STATES[state], options: { enabled: more !== 'off' } } as ServerRecord
  })
  return serverProblems(Object.fromEntries(servers.map((server) => [server.id, server])))
}

it('failed servers and those that wait for the person are counted, and starting ones are mentioned', () => {
  expect(amiss('ready', 'stopped')).toEqual({ failed: 0, waitingForPerson: 0, starting: false })
  expect(amiss('failed', 'failed', 'failed off', 'ready')).toEqual({ failed: 2, waitingForPerson: 0, starting: false })
  expect(amiss('failed', 'starting')).toEqual({ failed: 1, waitingForPerson: 0, starting: true })
  expect(amiss('asking', 'asking off', 'ready')).toEqual({ failed: 0, waitingForPerson: 1, starting: false })
})

it('a conversation that asks something needs the person, also between its turns, and an interrupted one is marked', () => {
  const head = { id: 'c' as ConversationId, turn: 'idle' } as ConversationHead
  const asking = (conversationId: string) => [{ about: { conversationId } }] as unknown as HostSnapshot['interactions']
  expect(workingLabel(head, { interactions: asking('c'), background: [] })).toBe('Needs you')
  expect(workingLabel(head, { interactions: asking('d'), background: [] })).toBeUndefined()
  expect(workingLabel({ ...head, turn: 'running' }, { interactions: asking('d'), background: [] })).toBe('Working')
  const interrupted = { ...head, interrupted: true } as const
  expect(workingLabel(interrupted, { interactions: [], background: [] })).toBe('Interrupted')
  expect(workingLabel(interrupted, { interactions: asking('c'), background: [] })).toBe('Needs you')
})

it('a view’s calls are found, oldest first, and no others (APP-18)', () => {
  const call = (id: string, proposedAt: number, byApp?: string) => ({ id, proposedAt, byApp }) as ToolCall
  const calls = [call('a', 1), call('c', 3, 'a'), call('b', 2, 'a'), call('d', 4, 'b')]
  const toolCalls = Object.fromEntries(calls.map((one) => [one.id, one]))
  const value = { kind: 'conversation', messages: [], toolCalls, hasEarlier: false } as const
  const found = callsOfApp({ is: 'open', seq: 0, value }, 'a' as ToolCallId)
  expect(found.map(({ id }) => id)).toEqual(['b', 'c'])
  expect(callsOfApp(undefined, 'a' as ToolCallId)).toEqual([])
})

it('a question names its view, so that this one is covered (APP-16)', () => {
  const call = (id: string, byApp?: string) => ({ id, proposedAt: 1, byApp }) as ToolCall
  const toolCalls = Object.fromEntries(
    [call('view'), call('other'), call('asked', 'view'), call('done', 'other')].map((one) => [one.id, one]),
  )
  const value = { kind: 'conversation', messages: [], toolCalls, hasEarlier: false } as const
  const asks = (toolCallId: string, origin: 'app' | 'model') =>
    ({
      host: { interactions: [{ about: { origin, toolCallId } }] },
      topics: { 'conversation/c': { is: 'open', seq: 0, value } },
    }) as unknown as HostMirror
  const asked = (mirror: HostMirror, of: string) => isAppAsked(mirror, 'c' as ConversationId, of as ToolCallId)
  expect(asked(asks('asked', 'app'), 'view')).toBe(true)
  expect(asked(asks('asked', 'app'), 'other')).toBe(false)
  expect(asked(asks('asked', 'model'), 'view')).toBe(false)
})
