import type { Power } from '../../src-shared/contract/consent.ts'
import { toolHints } from '../../src-shared/contract/servers.ts'
import type { JudgedTool } from './powers.ts'

/** Requests of the protocol other than tool calls, and their powers: a server's data comes in, or the person's data goes to it. */
const REQUESTS = {
  'resources/read': ['reads', 'brings-in'],
  'prompts/get': ['brings-in'],
  'completion/complete': ['sends'],
  'sampling/createMessage': ['brings-in', 'sends'],
  'roots/list': ['sends'],
} as const satisfies Record<string, readonly Power[]>

export type JudgedRequest = keyof typeof REQUESTS

/** A request as the engine judges it: a tool that is named by its method. A rule about a server, or about this name, holds for it. */
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
    corrected: REQUESTS[method],
  }
}
