import type { JsonObject } from '../../../src-shared/base/json.ts'
import { type Tool, toolTitle } from '../../../src-shared/mcp/primitives.ts'
import type { OfferedTool } from '../../models/model-provider.ts'
import { cut } from '../core/content-views.ts'

const DESCRIPTION_LIMIT = 4_000

export function offeredTool(serverName: string, tool: Tool, name = tool.name): OfferedTool {
  return {
    name,
    description: cut(`[${serverName}] ${tool.description ?? toolTitle(tool)}`, DESCRIPTION_LIMIT),
    // The schema was received as JSON.
    inputSchema: tool.inputSchema as unknown as JsonObject,
  }
}
