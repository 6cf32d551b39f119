import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { type ServerRecord, type ToolHints, toolHints } from '../../../src-shared/contract/servers.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import { fingerprintOf } from '../core/fingerprint.ts'
import type { CallOptions, CheckedResult } from './server-calls.ts'

/** A tool as the model may be offered it, with what consent needs to judge it. */
export interface AvailableTool {
  readonly serverId: ServerId
  readonly serverName: string
  readonly launchIdentity: string
  readonly tool: Tool
  readonly fingerprint: string
  readonly hints: ToolHints
  readonly hidden: boolean
}

/** What conversations need of servers. */
export interface ToolSource {
  /** Every usable tool of every ready server, in the order of the servers. */
  tools(): readonly AvailableTool[]
  tool(serverId: ServerId, name: string): AvailableTool | undefined
  call(serverId: ServerId, name: string, args: JsonObject, options: CallOptions): Promise<CheckedResult>
  record(serverId: ServerId): ServerRecord | undefined
  onToolsChanged(listen: (serverId: ServerId) => void): () => void
}

/** A tool of a server as its record stands now. */
export function availableTool(record: ServerRecord, tool: Tool): AvailableTool {
  const { id, name, launchIdentity, options } = record
  return {
    serverId: id,
    serverName: name,
    launchIdentity,
    tool,
    fingerprint: fingerprintOf(tool),
    hints: toolHints(tool.annotations),
    hidden: options.hiddenTools.includes(tool.name),
  }
}
