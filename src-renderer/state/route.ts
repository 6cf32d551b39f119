import { defined } from '../../src-shared/base/defined.ts'

const SECTIONS = ['conversations', 'projects', 'servers', 'import', 'inbox', 'settings', 'help'] as const
export type RouteSection = (typeof SECTIONS)[number]

/**
 * The screen of a window. `id` is a conversation, a project, a server or a page of the guide; the `tab` of a new conversation is
 * its project, that of a registry the words to search for.
 */
export interface Route {
  readonly section: RouteSection
  readonly id?: string
  readonly tab?: string
  readonly item?: string
}

export const HOME: Route = { section: 'conversations' }
export const ADD_SERVER: Route = { section: 'servers', id: 'new' }
export const FIND_IN_REGISTRY: Route = { section: 'import', id: 'registry' }
export const ADD_PROVIDER: Route = { section: 'settings', id: 'models', tab: 'add' }

function decoded(part: string | undefined): string | undefined {
  if (!part) return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** `#/servers/filesystem/tools/read_file`; undefined for a fragment that is not a route, such as the one-time token. */
export function parseRoute(hash: string): Route | undefined {
  if (!hash.startsWith('#/')) return undefined
  const [name, id, tab, item] = hash.slice(2).split('/')
  const section = SECTIONS.find((candidate) => candidate === name)
  if (!section) return undefined
  const [knownId, knownTab, knownItem] = [decoded(id), decoded(tab), decoded(item)]
  return {
    section,
    ...defined({ id: knownId, tab: knownTab }),
    ...(knownTab !== undefined && knownItem !== undefined && { item: knownItem }),
  }
}

export function routeHash(route: Route): string {
  const parts: string[] = [route.section]
  if (route.id !== undefined) parts.push(route.id)
  if (route.id !== undefined && route.tab !== undefined) parts.push(route.tab)
  if (parts.length === 3 && route.item !== undefined) parts.push(route.item)
  return `#/${parts.map(encodeURIComponent).join('/')}`
}
