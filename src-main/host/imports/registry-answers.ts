import { isObject } from '../../../src-shared/base/json.ts'
import type { RegistryEntry } from '../../../src-shared/contract/registries.ts'
import { type PublishedServer, readPublished } from './server-json.ts'

// The answers of a registry's API v0.1, and of v0, whose entries carry their status themselves. `_meta` may be missing: a sub-registry
// need not have it.

const MAX_ENTRIES = 100
const MAX_MESSAGE = 500

export interface ListedServer {
  readonly published: PublishedServer
  readonly status: RegistryEntry['status'] | 'deleted'
  readonly statusMessage?: string
  /** As the registry says; empty where it does not. */
  readonly publishedAt: string
}

export interface RegistryListing {
  readonly servers: readonly ListedServer[]
  readonly next?: string
}

/** Undefined for anything but a registry's answer. */
export function readListing(answer: unknown): RegistryListing | undefined {
  if (!isObject(answer) || !Array.isArray(answer.servers)) return undefined
  const metadata = isObject(answer.metadata) ? answer.metadata : {}
  const next = metadata.nextCursor ?? metadata.next_cursor
  return {
    servers: answer.servers.slice(0, MAX_ENTRIES).flatMap((one: unknown) => readListed(one) ?? []),
    ...(typeof next === 'string' && next !== '' && next.length <= 4096 && { next }),
  }
}

/** Undefined for anything but one version of a server. */
export function readListed(answer: unknown): ListedServer | undefined {
  if (!isObject(answer)) return undefined
  const server = isObject(answer.server) ? answer.server : answer
  // An entry may name neither packages nor addresses.
  const published = readPublished({ ...server, packages: server.packages ?? [] })
  if (!published) return undefined
  const official = isObject(answer._meta) ? answer._meta['io.modelcontextprotocol.registry/official'] : undefined
  const said = isObject(official) ? official : {}
  const status = said.status ?? server.status
  const message = said.statusMessage ?? said.status_message
  return {
    published,
    status: status === 'active' || status === 'deprecated' || status === 'deleted' ? status : 'unknown',
    ...(typeof message === 'string' && { statusMessage: message.slice(0, MAX_MESSAGE) }),
    publishedAt: typeof said.publishedAt === 'string' ? said.publishedAt.slice(0, 100) : '',
  }
}
