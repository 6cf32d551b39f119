import { describe, expect, it } from 'vitest'
import type { ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { HostSnapshot } from '../../../src-shared/contract/events.ts'
import type { ServerId, ToolCallId, TurnId } from '../../../src-shared/contract/ids.ts'
import { afterClosing, waitingFor } from './waiting-for.ts'

describe('the text about a waiting turn', () => {
  const turn: Turn = { id: 't' as TurnId, status: 'running', startedAt: 0, round: 1, waiting: { on: 'tools', since: 0 } }
  const call = (id: string, serverName: string, status: ToolCall['status']) =>
    ({ id: id as ToolCallId, turnId: turn.id, tool: 'x', serverName, status }) as ToolCall

  it('names the servers with running calls, each once', () => {
    const calls: Record<string, ToolCall> = {
      a: call('a', 'files', 'running'),
      b: call('b', 'files', 'running'),
      c: call('c', 'mail', 'finished'),
    }
    expect(waitingFor(turn, calls, 'Demo', { interactions: [], servers: {} }, 0)).toBe('Waiting for files')
    const more: Record<string, ToolCall> = { ...calls, d: call('d', 'web', 'running') }
    expect(waitingFor(turn, more, 'Demo', { interactions: [], servers: {} }, 0)).toBe('Waiting for files and web')
  })

  it('names the servers that have not started while nothing runs yet', () => {
    const calls: Record<string, ToolCall> = { a: call('a', 'files', 'proposed'), b: call('b', 'mail', 'finished') }
    expect(waitingFor(turn, calls, 'Demo', { interactions: [], servers: {} }, 0)).toBe('Waiting for files')
  })

  it('names the model, and nobody while the call itself says that it needs the person', () => {
    expect(
      waitingFor({ ...turn, waiting: { on: 'person', since: 0 } }, {}, 'Demo', { interactions: [], servers: {} }, 0),
    ).toBeUndefined()
    expect(waitingFor({ ...turn, waiting: { on: 'model', since: 0 } }, {}, 'Demo', { interactions: [], servers: {} }, 0)).toBe(
      'Waiting for Demo',
    )
  })

  it('names nobody while a server that runs asks the person', () => {
    const asking = [{ about: { toolCallId: 'a' } }] as unknown as HostSnapshot['interactions']
    const asked: Record<string, ToolCall> = { a: call('a', 'files', 'running') }
    const other: Record<string, ToolCall> = { b: call('b', 'web', 'running') }
    expect(waitingFor(turn, asked, 'Demo', { interactions: asking, servers: {} }, 0)).toBeUndefined()
    expect(waitingFor(turn, other, 'Demo', { interactions: asking, servers: {} }, 0)).toBe('Waiting for web')
  })

  it('names the servers that a reply waits for, without those that have started', () => {
    const server = (name: string, is: string) => ({ [name]: { name, state: { is } } })
    const servers = { ...server('files', 'starting'), ...server('mail', 'ready'), ...server('web', 'starting') }
    const text = (...names: string[]) => {
      const late: Turn = { ...turn, waiting: { on: 'servers', since: 0, servers: names as ServerId[] } }
      return waitingFor(late, {}, 'Demo', { interactions: [], servers: servers as unknown as HostSnapshot['servers'] }, 0)
    }
    expect(text('files', 'mail')).toBe('Waiting for files to start')
    expect(text('files', 'web')).toBe('Waiting for files and web to start')
  })

  it('says why a provider delays a request, and when it is repeated', () => {
    const limited: Turn = { ...turn, waiting: { on: 'model', since: 0, retry: { at: 20_000, reason: 'rate-limited' } } }
    expect(waitingFor(limited, {}, 'Demo', { interactions: [], servers: {} }, 6_001)).toBe('Rate limited. Trying again in 14 s')
    expect(waitingFor(limited, {}, 'Demo', { interactions: [], servers: {} }, 30_000)).toBe('Rate limited. Trying again in 1 s')
  })

  it('says of a turn that ended with Parley that a task of it still runs', () => {
    const closed: Turn = { ...turn, status: 'interrupted' }
    const running: Record<string, ToolCall> = { a: call('a', 'files', 'running') }
    expect(afterClosing(closed, running)).toBe('A call still runs in the background. Continue waits for its result.')
  })

  it('says that a call may have run only of a turn in which one had begun', () => {
    const closed: Turn = { ...turn, status: 'interrupted' }
    const asked: Record<string, ToolCall> = { a: call('a', 'files', 'interrupted') }
    const begun = { ...asked, b: { ...call('b', 'files', 'interrupted'), startedAt: 1 } }
    expect(afterClosing(closed, begun)).toContain('may already have run')
    expect(afterClosing(closed, asked)).toBe('Continue asks you again about the calls that were not made.')
    expect(afterClosing(closed, {})).toBe('Continue asks the model to go on.')
  })
})
