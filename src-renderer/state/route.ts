const SECTIONS = ['conversations', 'projects', 'servers', 'import', 'inbox', 'settings', 'help'] as const
export type RouteSection = (typeof SECTIONS)[number]

/** Which screen a window shows; `id` is a conversation, a project, a server or a page of the guide; the `tab` of a new conversation its project. */
export interface Route {
  readonly section: RouteSection
  readonly id?: string
  readonly tab?: string
  /** A tool of the tab. */
  readonly item?: string
}

export const HOME: Route = { section: 'conversations' }
/** All servers, with the dialog that adds one. */
export const ADD_SERVER: Route = { section: 'servers', id: 'new' }
/** The models of the settings, with the dialog that adds a provider. */
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
    ...(knownId === undefined ? {} : { id: knownId }),
    ...(knownTab === undefined ? {} : { tab: knownTab }),
    ...(knownTab === undefined || knownItem === undefined ? {} : { item: knownItem }),
  }
}

export function routeHash(route: Route): string {
  const parts: string[] = [route.section]
  if (route.id !== undefined) parts.push(route.id)
  if (route.id !== undefined && route.tab !== undefined) parts.push(route.tab)
  if (parts.length === 3 && route.item !== undefined) parts.push(route.item)
  return `#/${parts.map(encodeURIComponent).join('/')}`
}
