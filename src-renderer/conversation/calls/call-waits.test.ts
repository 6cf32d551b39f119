import { expect, it } from 'vitest'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { stateOf } from './CallStatus.tsx'

const far = 'far' as ServerId
const call = { status: 'running', serverId: far, serverName: 'far', tool: 'report' } as ToolCall

it('a call that waits for the start of its server says so, and one that runs says that', () => {
  expect(stateOf(call, false, 'starting').word).toBe('Starting far …')
  expect(stateOf(call, false, 'ready').word).toBe('Running')
  expect(stateOf({ ...call, task: {} }, false, 'starting').word).toBe('In the background')
  expect(stateOf({ ...call, status: 'finished' }, false, 'starting').word).toBe('Finished')
})

it('a result that waited for the person before a restart waits, until they changed or withheld it', () => {
  const received = { isError: false, content: [], warnings: [] }
  expect(stateOf({ ...call, status: 'interrupted', received }, false).word).toBe('Waiting')
  expect(stateOf({ ...call, status: 'interrupted' }, false).word).toBe('Interrupted')
  expect(stateOf({ ...call, status: 'finished', received }, false).word).toBe('Withheld')
})
