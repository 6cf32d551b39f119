import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { SentForm, ToolDetails } from '../../../src-shared/contract/servers.ts'
import type { ProviderRecord } from '../../../src-shared/contract/settings.ts'
import type { OfferedTool } from '../../models/model-provider.ts'
import { sentTool } from '../../models/sent-tool.ts'
import type { ToolCalls } from '../conversations/tool-calls.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Servers } from '../servers/servers.ts'

interface ToolPagesParts extends Pick<HostCore, 'state'> {
  readonly servers: Servers
  readonly calls: ToolCalls
}

/** One tool on its server's page: its definition, and what becomes of it on the way to models. */
export class ToolPages {
  readonly #parts: ToolPagesParts

  constructor(parts: ToolPagesParts) {
    this.#parts = parts
  }

  /** Throws HostError `not-found` and `refused`. */
  read(serverId: ServerId, tool: string): ToolDetails {
    const { servers, calls, state } = this.#parts
    const details = servers.catalogs.tool(serverId, tool)
    const named = calls.all().find(({ available }) => available.serverId === serverId && available.tool.name === tool)
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
