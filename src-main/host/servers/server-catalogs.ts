import { type Clock, within } from '../../../src-shared/base/clock.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { Page } from '../../../src-shared/contract/schema-parts.ts'
import type { ServerAbout, ToolDetails, ToolEntry } from '../../../src-shared/contract/servers.ts'
import type { ProviderKind } from '../../../src-shared/contract/settings.ts'
import type { Resource } from '../../../src-shared/mcp/content.ts'
import type { Prompt, ResourceTemplate, Tool } from '../../../src-shared/mcp/primitives.ts'
import type { CatalogValue } from '../../client/catalog.ts'
import { offeredTool } from '../models/offered-tool.ts'
import { toolTokens } from '../models/token-estimate.ts'
import { catalogEntry, pageOf, type ToolMarks, toolDetails, toolEntry } from './catalog-pages.ts'
import type { ConfiguredServer } from './configured-server.ts'
import type { ConfiguredServers } from './configured-servers.ts'
import { aboutOf } from './server-hello.ts'

/** Milliseconds for which a turn waits for lists. */
const MAX_WAIT = 2000

interface Paging {
  readonly cursor?: string
  readonly search?: string
}

/** Catalogs for windows, page by page. */
export class ServerCatalogs {
  readonly #servers: ConfiguredServers
  readonly #kind: () => ProviderKind
  readonly #clock: Clock

  /** `kind` is the provider whose tokens are counted. */
  constructor(servers: ConfiguredServers, kind: () => ProviderKind, clock: Clock) {
    this.#servers = servers
    this.#kind = kind
    this.#clock = clock
  }

  /** Reads stale lists before they are used, but waits no longer than MAX_WAIT (V26-CACHE-11). */
  async freshen(isUsed: (serverId: ServerId) => boolean): Promise<void> {
    const used = this.#servers.all().filter(({ id }) => isUsed(id))
    await within(this.#clock, MAX_WAIT, Promise.all(used.map(freshen)))
  }

  tools(serverId: ServerId, page: Paging): Page<ToolEntry> {
    const server = this.#opened(serverId, page)
    return pageOf(
      server.tools(),
      page,
      ({ tool }) => [tool.name, tool.title, tool.description],
      (entry) => toolEntry(entry, this.#marks(server, entry.tool), server.showIcons),
    )
  }

  tool(serverId: ServerId, name: string): ToolDetails {
    const server = this.#servers.get(serverId)
    const entry = server.tools().find(({ tool }) => tool.name === name)
    if (!entry) throw new HostError('not-found', `“${server.record.name}” does not offer that tool now.`)
    return toolDetails(entry, this.#marks(server, entry.tool), server.showIcons)
  }

  resources(serverId: ServerId, page: Paging): Page<Resource> {
    const { all, shape } = this.#list(serverId, 'resources', page)
    return pageOf(all, page, ({ name, title, uri, description }) => [name, title, uri, description], shape)
  }

  templates(serverId: ServerId, page: Paging): Page<ResourceTemplate> {
    const words = ({ name, title, uriTemplate, description }: ResourceTemplate) => [name, title, uriTemplate, description]
    const { all, shape } = this.#list(serverId, 'templates', page)
    return pageOf(all, page, words, shape)
  }

  prompts(serverId: ServerId, page: Paging): Page<Prompt> {
    const { all, shape } = this.#list(serverId, 'prompts', page)
    return pageOf(all, page, ({ name, title, description }) => [name, title, description], shape)
  }

  /** The server's description of itself beyond its record; empty while it is not known. */
  about(serverId: ServerId): ServerAbout {
    const server = this.#servers.get(serverId)
    void freshen(server)
    return server.offer ? aboutOf(server.offer, server.showIcons) : {}
  }

  async refresh(serverId: ServerId, signal: AbortSignal): Promise<void> {
    const { clients } = this.#servers.get(serverId)
    // A server that just started has read its lists.
    if (clients.present) await clients.present.catalog.refresh()
    else await clients.started(signal)
  }

  /** Opening a list shows the known entries and reads a stale list in the background, which raises its version. */
  #opened(serverId: ServerId, page: Paging): ConfiguredServer {
    const server = this.#servers.get(serverId)
    if (page.cursor === undefined) void freshen(server)
    return server
  }

  #marks(server: ConfiguredServer, tool: Tool): ToolMarks {
    return { ...server.marksOf(tool), tokens: toolTokens(offeredTool(server.record.name, tool), this.#kind()) }
  }

  #list<N extends 'resources' | 'templates' | 'prompts'>(serverId: ServerId, noun: N, page: Paging) {
    const server = this.#opened(serverId, page)
    const all: readonly CatalogValue[N][number][] = server.offer?.catalog[noun] ?? []
    return { all, shape: (entry: CatalogValue[N][number]) => catalogEntry(entry, server.showIcons) }
  }
}

/** Never rejects. */
async function freshen({ clients }: ConfiguredServer): Promise<void> {
  await clients.present?.freshen().catch(() => {}) // The known entries stay, and the catalog lists its problems.
}
