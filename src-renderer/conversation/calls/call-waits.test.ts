import { expect, it } from 'vitest'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerRecord, ServerState } from '../../../src-shared/contract/servers.ts'
import { stateOf } from './CallStatus.tsx'
import { taskMessage } from './CallTask.tsx'

const far = 'far' as ServerId
const call = { status: 'running', serverId: far, serverName: 'far', tool: 'report' } as ToolCall

it('a call that waits for the start of its server says so, and one that runs says that', () => {
  expect(stateOf(call, false, 'starting').word).toBe('Starting far…')
  expect(stateOf(call, false, 'ready').word).toBe('Running')
  expect(stateOf({ ...call, task: {} }, false, 'starting').word).toBe('In the background')
  expect(stateOf({ ...call, status: 'finished' }, false, 'starting').word).toBe('Finished')
})

it('a task says why it is not asked about, and else what its server says (TASK-20)', () => {
  const said = (is: ServerState['is'], signIn?: ServerRecord['signIn']) =>
    taskMessage(
      { serverId: far, task: { message: 'Half way' } },
      { [far]: { state: { is } as ServerState, ...(signIn && { signIn }) } },
    )
  expect(said('ready')).toBe('Half way')
  expect(said('restarting')).toBe('Not connected. Parley asks again when the server is back.')
  expect(said('ready', { is: 'needed' } as ServerRecord['signIn'])).toBe('Not signed in. Parley asks again when you are.')
  expect(taskMessage({ serverId: far, task: {} }, {})).toBe('Not connected. Parley asks again when the server is back.')
})
