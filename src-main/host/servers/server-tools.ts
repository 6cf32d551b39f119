import { defined } from '../../../src-shared/base/defined.ts'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { type ToolHints, toolHints } from '../../../src-shared/contract/servers.ts'
import { isForApps, isForModels } from '../../../src-shared/mcp/app-tools.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import type { CatalogTool } from '../../client/catalog.ts'
import type { Offline } from '../../consent/powers.ts'
import type { MirroredArgument } from '../../protocol/mirrored-arguments.ts'
import { fingerprintOf } from '../core/fingerprint.ts'
import type { ConfiguredServer } from './configured-server.ts'
import type { ConfiguredServers } from './configured-servers.ts'

/** A tool that can be offered to models, with the facts by which consent judges it. */
export interface AvailableTool {
  readonly serverId: ServerId
  readonly serverName: string
  readonly launchIdentity: string
  readonly tool: Tool
  readonly fingerprint: string
  readonly hints: ToolHints
  readonly hidden: boolean
  /** Arguments that are also sent as headers. */
  readonly mirrored?: readonly MirroredArgument[]
  readonly offline?: Offline
}

export interface OffServer {
  readonly serverId: ServerId
  readonly serverName: string
  readonly tools: readonly Tool[]
}

/** The usable tools of all ready servers, without those for a server's own app (EXT-6). */
export class ServerTools {
  /** Fires with a server whose tools or connection changed. */
  readonly onChange = new Emitter<ServerId>()
  readonly #servers: ConfiguredServers

  constructor(servers: ConfiguredServers) {
    this.#servers = servers
  }

  /** In the order of the servers. */
  all(): readonly AvailableTool[] {
    return this.#servers
      .all()
      .flatMap((server) => server.tools().flatMap((entry) => (isAvailable(entry) ? [availableTool(server, entry)] : [])))
  }

  off(): readonly OffServer[] {
    return this.#servers.all().flatMap(({ record: { id, name, options }, keptOffer }) => {
      if (options.enabled || !keptOffer) return []
      const usable = keptOffer.catalog.tools.filter((entry) => isAvailable(entry))
      const tools = usable.flatMap(({ tool }) => (options.hiddenTools.includes(tool.name) ? [] : [tool]))
      return [{ serverId: id, serverName: name, tools }]
    })
  }

  /** `by` is who would call it: a server may keep a tool for models or for its views (APP-1). */
  find(serverId: ServerId, name: string, by: 'model' | 'app' = 'model'): AvailableTool | undefined {
    const server = this.#servers.find(serverId)
    const found = server?.tools().find((entry) => entry.tool.name === name && isAvailable(entry, by))
    return server && found && availableTool(server, found)
  }
}

const isAvailable = ({ tool, unusable }: CatalogTool, by: 'model' | 'app' = 'model') =>
  unusable === undefined && (by === 'model' ? isForModels(tool) : isForApps(tool))

function availableTool({ record, offline }: ConfiguredServer, { tool, mirrored }: CatalogTool): AvailableTool {
  const { id, name, launchIdentity, options } = record
  return {
    serverId: id,
    serverName: name,
    launchIdentity,
    tool,
    fingerprint: fingerprintOf(tool),
    hints: toolHints(tool.annotations),
    hidden: options.hiddenTools.includes(tool.name),
    ...defined({ mirrored, offline }),
  }
}
