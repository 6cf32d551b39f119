import type { CatalogCounts, ServerAbout, ServerHello } from '../../../src-shared/contract/servers.ts'
import type { Implementation } from '../../../src-shared/mcp/primitives.ts'
import type { ShowIcons } from '../core/icons.ts'
import type { ConnectionOffer } from './kept-offers.ts'

export const NO_CATALOG = { tools: 0, resources: 0, templates: 0, prompts: 0, problems: [] }
/** Characters of a name; the snapshot is bounded. */
const CLAIM_LIMIT = 200
const INSTRUCTIONS_LIMIT = 1000
const MAX_PROBLEMS = 10
const DESCRIPTION_LIMIT = 1000
const ADDRESS_LIMIT = 2048

const claim = (text: string): string => text.slice(0, CLAIM_LIMIT)

/** A server's description of itself in its handshake, bounded (LIFE-43). */
export function helloOf({ hello }: Pick<ConnectionOffer, 'hello'>): ServerHello {
  const { serverInfo } = hello
  return {
    revision: hello.protocolVersion,
    ...(serverInfo && { serverInfo: namesOf(serverInfo) }),
    capabilities: Object.keys(hello.capabilities).slice(0, 20).map(claim),
    ...(hello.instructions !== undefined && { instructions: hello.instructions.slice(0, INSTRUCTIONS_LIMIT) }),
  }
}

function namesOf({ name, version, title }: Implementation): Implementation {
  return { name: claim(name), version: claim(version), ...(title !== undefined && { title: claim(title) }) }
}

/** The rest of its description, which is too large for the snapshot. */
export function aboutOf({ hello }: Pick<ConnectionOffer, 'hello'>, show: ShowIcons): ServerAbout {
  const { description, websiteUrl, icons } = hello.serverInfo ?? {}
  return {
    ...(hello.capabilities.extensions && { extensions: Object.keys(hello.capabilities.extensions) }),
    ...(description !== undefined && { description: description.slice(0, DESCRIPTION_LIMIT) }),
    ...(websiteUrl !== undefined && { websiteUrl: websiteUrl.slice(0, ADDRESS_LIMIT) }),
    ...show(icons),
  }
}

export function countsOf({ catalog }: Pick<ConnectionOffer, 'catalog'>, version: number): CatalogCounts {
  const { tools, resources, templates, prompts, problems } = catalog
  return {
    version,
    tools: tools.length,
    resources: resources.length,
    templates: templates.length,
    prompts: prompts.length,
    problems: problems.slice(0, MAX_PROBLEMS).map(claim),
  }
}
