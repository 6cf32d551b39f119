import type { Power } from '../../src-shared/contract/consent.ts'
import { toolHints } from '../../src-shared/contract/servers.ts'
import type { JudgedTool } from './powers.ts'

/** Powers of protocol requests other than tool calls. */
const REQUESTS = {
  'resources/read': ['reads', 'brings-in'],
  'prompts/get': ['brings-in'],
  'completion/complete': ['sends'],
  'sampling/createMessage': ['brings-in', 'sends'],
  'roots/list': ['sends'],
} as const satisfies Record<string, readonly Power[]>

export type JudgedRequest = keyof typeof REQUESTS

/** A request as a tool named by its method, so that rules about the server or this name apply. */
export function requestTool(
  server: Pick<JudgedTool, 'serverId' | 'serverName' | 'launchIdentity'>,
  method: JudgedRequest,
): JudgedTool {
  return {
    ...server,
    name: method,
    fingerprint: method,
    hints: toolHints({}),
    inputSchema: { type: 'object' },
    defined: REQUESTS[method],
  }
}
