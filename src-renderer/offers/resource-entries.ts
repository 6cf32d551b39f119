import { matchesWords } from '../../src-shared/base/matches-words.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { Resource } from '../../src-shared/mcp/content.ts'
import type { ChosenResource } from '../state/view-store.ts'
import type { ServerOffer } from './use-offers.ts'

/** A resource in the list, with the flaws that the person should know of. */
export interface ResourceEntry {
  readonly key: string
  readonly server: ServerRecord
  readonly resource: Resource
  /** Its address breaks RFC 3986: it is shown and cannot be read (RES-20). */
  readonly invalid: boolean
  /** Its server lists the same address more than once (RES-29). */
  readonly duplicate: boolean
}

const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/

export function isUri(text: string): boolean {
  return URI.test(text)
}

/** One entry per server and address: the first of several. */
export function resourceEntries(offers: readonly ServerOffer<Resource>[]): readonly ResourceEntry[] {
  const byKey = new Map<string, ResourceEntry>()
  for (const { server, item } of offers) {
    const key = `${server.id}\n${item.uri}`
    const before = byKey.get(key)
    byKey.set(
      key,
      before ? { ...before, duplicate: true } : { key, server, resource: item, invalid: !isUri(item.uri), duplicate: false },
    )
  }
  return [...byKey.values()]
}

export function chosenOf(server: ServerRecord, resource: Resource): ChosenResource {
  const { uri, name, title, description, mimeType, size, annotations } = resource
  return { serverId: server.id, serverName: server.name, uri, title: title ?? name, description, mimeType, size, annotations }
}

export interface ResourceFilter {
  /** A server's id, or empty for all. */
  readonly server: string
  readonly search: string
  /** The beginning of a media type, or empty for any. */
  readonly type: string
  readonly audience: '' | 'user' | 'assistant'
}

export const EVERYTHING: ResourceFilter = { server: '', search: '', type: '', audience: '' }

/** Each word of the search must occur in the resource or its server's name. A resource without an audience is for everybody. */
export function passesResourceFilter({ server, resource }: ResourceEntry, filter: ResourceFilter): boolean {
  if (filter.server !== '' && server.id !== filter.server) return false
  if (filter.type !== '' && !(resource.mimeType ?? '').toLowerCase().startsWith(filter.type)) return false
  const audience = resource.annotations?.audience
  if (filter.audience !== '' && audience && audience.length > 0 && !audience.includes(filter.audience)) return false
  const { name, title, description, uri } = resource
  return matchesWords([name, title, description, uri, server.name].join('\n'), filter.search)
}

/** Sorts by the priority that servers claim; equal ones stay as listed (RES-25). */
export function byPriority(entries: readonly ResourceEntry[]): readonly ResourceEntry[] {
  const priority = ({ resource }: ResourceEntry) => resource.annotations?.priority ?? 0.5
  return [...entries].sort((a, b) => priority(b) - priority(a))
}

/** An estimate from the size; undefined when the server did not state one (RES-22). */
export function resourceTokens(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / 4)
}
