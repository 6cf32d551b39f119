import { expect, it } from 'vitest'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { ServerRecord, ServerState } from '../../src-shared/contract/servers.ts'
import { taskMessage } from './TaskMessage.tsx'

const far = 'far' as ServerId

it('a task says why it is not asked about, and else what its server says (TASK-20)', () => {
  const said = (is: ServerState['is'], signIn?: ServerRecord['signIn']) =>
    taskMessage({ serverId: far, message: 'Half way' }, { [far]: { state: { is } as ServerState, ...(signIn && { signIn }) } })
  expect(said('ready')).toBe('Half way')
  expect(said('restarting')).toBe('Not connected. Parley asks again when the server is back.')
  expect(said('ready', { is: 'needed' } as ServerRecord['signIn'])).toBe('Not signed in. Parley asks again when you are.')
  expect(said('needs-sign-in')).toBe('Not signed in. Parley asks again when you are.')
  expect(taskMessage({ serverId: far }, {})).toBe('Not connected. Parley asks again when the server is back.')
})
