/**
 * The server's canonical address for token requests (RFC 8707): lower-case scheme and host, no default port, no fragment, the path
 * without a slash at the end (AUTH-55).
 */
export function canonicalResource(serverUrl: string): string {
  const url = new URL(serverUrl)
  url.hash = ''
  url.username = ''
  url.password = ''
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  return `${url.origin}${path}${url.search}`
}

/** The server's address without its path (AUTH-33). Not the resource (TRAP-37). */
export function authorizationBase(serverUrl: string): string {
  return new URL(serverUrl).origin
}

/**
 * True if the metadata of `resource` applies to this server: the same address, or a parent path of the same origin (AUTH-48,
 * TRAP-42).
 */
export function speaksFor(resource: string, serverUrl: string): boolean {
  if (!URL.canParse(resource)) return false
  const named = new URL(canonicalResource(resource))
  const server = new URL(canonicalResource(serverUrl))
  if (named.origin !== server.origin) return false
  if (named.search !== '' && named.search !== server.search) return false
  const above = named.pathname.replace(/(?<!\/)\/+$/, '')
  return server.pathname === above || server.pathname.startsWith(`${above}/`)
}
