import { expect, it } from 'vitest'
import type { ServerCost } from '../../../src-shared/contract/context.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { NO_SWITCHES } from '../../../src-shared/contract/settings.ts'
import { offeredOf, withServer, withTool } from './switches.ts'

const a = 'a' as ServerId
const b = 'b' as ServerId
const server = (serverId: ServerId, ...tools: ServerCost['tools']): ServerCost => ({
  serverId,
  serverName: serverId,
  tokens: 0,
  tools,
  toolCount: tools.length,
})
const tool = (name: string, tokens: number, state: 'offered' | 'off-everywhere' = 'offered') => ({ tool: name, tokens, state })
const servers = [server(a, tool('read', 10), tool('write', 20)), server(b, tool('read', 5), tool('hidden', 9, 'off-everywhere'))]

it('a tool that is off is not counted, and a switch pressed twice is unchanged', () => {
  expect(offeredOf(servers, NO_SWITCHES)).toEqual({ count: 3, tokens: 35 })
  const noWrite = withTool(NO_SWITCHES, a, 'write')
  expect(offeredOf(servers, noWrite)).toEqual({ count: 2, tokens: 15 })
  expect(offeredOf(servers, withServer(noWrite, b))).toEqual({ count: 1, tokens: 10 })
  expect(withTool(withServer(withServer(noWrite, b), b), a, 'write')).toEqual(NO_SWITCHES)
  expect(offeredOf(servers, withTool(NO_SWITCHES, b, 'read'))).toEqual({ count: 2, tokens: 30 })
  const many = { ...server(a, tool('read', 10)), toolCount: 201 }
  expect([offeredOf([many], NO_SWITCHES).count, offeredOf([many], withServer(NO_SWITCHES, a)).count]).toEqual([201, 0])
})
