import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { SentForm, ToolDetails } from '../../../src-shared/contract/servers.ts'
import type { ProviderRecord } from '../../../src-shared/contract/settings.ts'
import type { OfferedTool } from '../../models/model-provider.ts'
import { sentTool } from '../../models/sent-tool.ts'
import type { HostCore } from '../core/host-core.ts'
import { offeredTool } from '../models/offered-tool.ts'
import type { AvailableTool } from '../servers/server-tools.ts'
import type { Servers } from '../servers/servers.ts'
import { WireNames } from './wire-names.ts'

/** A tool with the name that a model knows it by. */
export interface NamedTool {
  readonly available: AvailableTool
  readonly offered: OfferedTool
}

interface NamedToolsParts extends Pick<HostCore, 'state'> {
  readonly servers: Servers
  /** Names that no tool of a server is offered under. */
  readonly reserved: ReadonlySet<string>
}

/** The tools of all servers by the names that models know them by. */
export class NamedTools {
  readonly #parts: NamedToolsParts
  readonly #names: WireNames

  constructor(parts: NamedToolsParts) {
    this.#parts = parts
    this.#names = new WireNames(parts.reserved)
  }

  /**
   * Every tool that is not hidden, by name: in whichever order servers start and list them, a provider's cache of the prompt holds.
   * A name does not depend on what is switched off where.
   */
  all(): readonly NamedTool[] {
    const available = this.#parts.servers.tools.all().filter((tool) => !tool.hidden)
    const names = this.#names.of(available.map(({ serverId, tool }) => ({ serverId, name: tool.name })))
    const named = available.map((tool, at) => ({
      available: tool,
      offered: offeredTool(tool.serverName, tool.tool, names[at]),
    }))
    return named.sort((a, b) => (a.offered.name < b.offered.name ? -1 : 1))
  }

  /** One tool on its server's page: its definition, and what becomes of it on the way to models. Throws HostError `not-found` and `refused`. */
  page(serverId: ServerId, tool: string): ToolDetails {
    const { servers, state } = this.#parts
    const details = servers.catalogs.tool(serverId, tool)
    const named = this.all().find(({ available }) => available.serverId === serverId && available.tool.name === tool)
    const sent = named ? state.snapshot.providers.flatMap((provider) => sentForm(named.offered, tool, provider)) : []
    return sent.length > 0 ? { ...details, sent } : details
  }
}

/** None for a provider that gets it as the server has it. */
function sentForm(offered: OfferedTool, own: string, { kind, name: provider }: ProviderRecord): readonly SentForm[] {
  if (kind === 'demo') return []
  const sent = sentTool(offered, kind)
  const { name } = offered
  if (sent.is === 'left-out') return [{ provider, name, changes: [], leftOut: sent.why }]
  return name === own && sent.changes.length === 0 ? [] : [{ provider, name, changes: sent.changes }]
}
