import { Emitter } from '../../../src-shared/base/emitter.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { type ServerRecord, type ToolHints, toolHints } from '../../../src-shared/contract/servers.ts'
import { isForModels } from '../../../src-shared/mcp/app-tools.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import type { CatalogTool } from '../../client/catalog.ts'
import type { MirroredArgument } from '../../protocol/mirrored-arguments.ts'
import { fingerprintOf } from '../core/fingerprint.ts'
import type { ConfiguredServers } from './configured-servers.ts'

/** A tool as the model may be offered it, with what consent needs to judge it. */
export interface AvailableTool {
  readonly serverId: ServerId
  readonly serverName: string
  readonly launchIdentity: string
  readonly tool: Tool
  readonly fingerprint: string
  readonly hints: ToolHints
  readonly hidden: boolean
  /** Arguments that travel as headers, too. */
  readonly mirrored?: readonly MirroredArgument[]
}

/** Every usable tool of every ready server, but those that it keeps for its own app (EXT-6). */
export class ServerTools {
  /** Fires with the server whose tools, or whose connection, are others now. */
  readonly onChange = new Emitter<ServerId>()
  readonly #servers: ConfiguredServers

  constructor(servers: ConfiguredServers) {
    this.#servers = servers
  }

  /** In the order of the servers. */
  all(): readonly AvailableTool[] {
    return this.#servers
      .all()
      .flatMap((server) => server.tools().flatMap((entry) => (isAvailable(entry) ? [availableTool(server.record, entry)] : [])))
  }

  find(serverId: ServerId, name: string): AvailableTool | undefined {
    const server = this.#servers.find(serverId)
    const found = server?.tools().find((entry) => entry.tool.name === name && isAvailable(entry))
    return server && found && availableTool(server.record, found)
  }
}

const isAvailable = ({ tool, unusable }: CatalogTool) => unusable === undefined && isForModels(tool)

/** A tool of a server as its record stands now. */
function availableTool({ id, name, launchIdentity, options }: ServerRecord, { tool, mirrored }: CatalogTool): AvailableTool {
  return {
    serverId: id,
    serverName: name,
    launchIdentity,
    tool,
    fingerprint: fingerprintOf(tool),
    hints: toolHints(tool.annotations),
    hidden: options.hiddenTools.includes(tool.name),
    ...(mirrored && { mirrored }),
  }
}
