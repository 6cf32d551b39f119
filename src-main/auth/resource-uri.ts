/**
 * The server's canonical address, by which tokens are asked for (RFC 8707): lower-case scheme and host, no default port, no
 * fragment, the path kept, no slash at the end (AUTH-55).
 */
export function canonicalResource(serverUrl: string): string {
  const url = new URL(serverUrl)
  url.hash = ''
  url.username = ''
  url.password = ''
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  return `${url.origin}${path}${url.search}`
}

/** Where 2025-03-26 looks for everything: the server's address without its path (AUTH-33). Not to be confused with the resource (TRAP-37). */
export function authorizationBase(serverUrl: string): string {
  return new URL(serverUrl).origin
}

/**
 * True if metadata that calls itself `resource` may speak for this server: the same address, or one of the same origin above it
 * (AUTH-48, TRAP-42).
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
