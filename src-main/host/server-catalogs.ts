import { HostError } from '../../src-shared/contract/errors.ts'
import type { ServerId, ToolDetails, ToolEntry } from '../../src-shared/contract/servers.ts'
import type { Prompt, Resource, ResourceTemplate } from '../../src-shared/mcp/primitives.ts'
import type { CatalogValue } from '../client/catalog.ts'
import { listed, type Page, pageOf, toolDetails, toolEntry } from './catalog-pages.ts'
import type { ConfiguredServer } from './configured-server.ts'

interface Paging {
  readonly cursor?: string
  readonly search?: string
}

/** What ready servers offer, page by page, as windows read it. A server that is not ready offers nothing. */
export class ServerCatalogs {
  readonly #server: (serverId: ServerId) => ConfiguredServer

  constructor(server: (serverId: ServerId) => ConfiguredServer) {
    this.#server = server
  }

  tools(serverId: ServerId, page: Paging): Page<ToolEntry> {
    const server = this.#server(serverId)
    const found = pageOf(server.tools(), page, ({ tool }) => [tool.name, tool.title, tool.description])
    return { ...found, items: found.items.map((entry) => toolEntry(entry, server.marksOf(entry.tool))) }
  }

  /** One tool with its whole definition. */
  tool(serverId: ServerId, name: string): ToolDetails {
    const server = this.#server(serverId)
    const entry = server.tools().find(({ tool }) => tool.name === name)
    if (!entry) throw new HostError('not-found', `“${server.record.name}” does not offer that tool now.`)
    return toolDetails(entry, server.marksOf(entry.tool))
  }

  resources(serverId: ServerId, page: Paging): Page<Resource> {
    return pageOf(this.#list(serverId, 'resources'), page, ({ name, title, uri, description }) => [name, title, uri, description])
  }

  templates(serverId: ServerId, page: Paging): Page<ResourceTemplate> {
    const words = ({ name, title, uriTemplate, description }: ResourceTemplate) => [name, title, uriTemplate, description]
    return pageOf(this.#list(serverId, 'templates'), page, words)
  }

  prompts(serverId: ServerId, page: Paging): Page<Prompt> {
    return pageOf(this.#list(serverId, 'prompts'), page, ({ name, title, description }) => [name, title, description])
  }

  async refresh(serverId: ServerId): Promise<void> {
    await this.#server(serverId).client.catalog.refresh()
  }

  #list<N extends 'resources' | 'templates' | 'prompts'>(serverId: ServerId, noun: N): CatalogValue[N][number][] {
    const server = this.#server(serverId)
    return server.ready ? server.client.catalog.value[noun].map((entry) => listed(entry)) : []
  }
}
