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

export interface NamedTool {
  readonly available: AvailableTool
  readonly offered: OfferedTool
}

interface NamedToolsParts extends Pick<HostCore, 'state'> {
  readonly servers: Servers
  /** Names of Parley's own tools, which no server's tool may have. */
  readonly reserved: ReadonlySet<string>
}

export class NamedTools {
  readonly #parts: NamedToolsParts
  readonly #names: WireNames

  constructor(parts: NamedToolsParts) {
    this.#parts = parts
    this.#names = new WireNames(parts.reserved)
  }

  /**
   * Every tool that is not hidden, sorted by name, so that the order in which servers start does not invalidate a provider's prompt cache.
   * Names do not depend on which tools a conversation turns off.
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

  /** One tool's definition, and its changed form for each provider. Throws HostError `not-found` or `refused`. */
  page(serverId: ServerId, tool: string): ToolDetails {
    const { servers, state } = this.#parts
    const details = servers.catalogs.tool(serverId, tool)
    const named = this.all().find(({ available }) => available.serverId === serverId && available.tool.name === tool)
    const sent = named ? state.snapshot.providers.flatMap((provider) => sentForm(named.offered, tool, provider)) : []
    return sent.length > 0 ? { ...details, sent } : details
  }
}

/** Empty for a provider that gets the tool unchanged. */
function sentForm(offered: OfferedTool, own: string, { kind, name: provider }: ProviderRecord): readonly SentForm[] {
  if (kind === 'demo') return []
  const sent = sentTool(offered, kind)
  const { name } = offered
  if (sent.is === 'left-out') return [{ provider, name, changes: [], leftOut: sent.why }]
  return name === own && sent.changes.length === 0 ? [] : [{ provider, name, changes: sent.changes }]
}
