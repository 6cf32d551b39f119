import type { JsonObject } from '../../../src-shared/base/json.ts'
import { type Tool, toolTitle } from '../../../src-shared/mcp/primitives.ts'
import type { OfferedTool } from '../../models/model-provider.ts'
import { cut } from '../core/content-views.ts'

const DESCRIPTION_LIMIT = 4_000

/** A tool of a server as models are told of it, whichever they are. */
export function offeredTool(serverName: string, tool: Tool, name = tool.name): OfferedTool {
  return {
    name,
    description: cut(`[${serverName}] ${tool.description ?? toolTitle(tool)}`, DESCRIPTION_LIMIT),
    // A schema is JSON by nature: it came over the wire.
    inputSchema: tool.inputSchema as unknown as JsonObject,
  }
}
