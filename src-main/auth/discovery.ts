import type { AuthorizationServer } from 'oauth4webapi'
import { z } from 'zod'
import type { AuthHttp } from './auth-http.ts'
import { AuthorizationError } from './authorization-error.ts'
import type { BearerChallenge } from './challenge.ts'
import type { FlowContext } from './flow-context.ts'
import { authorizationBase, canonicalResource, speaksFor } from './resource-uri.ts'

/** The authorization server of an MCP server, and the rules that apply to it. */
export interface Discovered {
  /** 2025-03-26: the server is its own authorization server. Later: it names one in its resource metadata (TRAP-36). */
  readonly rules: '2025-03-26' | '2025-06-18'
  readonly server: AuthorizationServer
  /** The resource of the tokens; absent by the rules of 2025-03-26 (AUTH-42). */
  readonly resource?: string
  readonly scopesSupported?: readonly string[]
}

/** Our newest handshake revision: the negotiation only comes after the sign-in (AUTH-35, TRAP-41). */
const HEADERS = { 'mcp-protocol-version': '2025-11-25' }

const text = z.string().max(4096)
const texts = z.array(text).max(1000)
const RESOURCE_METADATA = z.looseObject({
  resource: text,
  authorization_servers: texts.optional().catch(undefined),
  scopes_supported: texts.optional().catch(undefined),
})
const SERVER_METADATA = z.looseObject({
  issuer: text,
  authorization_endpoint: text.optional(),
  token_endpoint: text.optional(),
  registration_endpoint: text.optional(),
  revocation_endpoint: text.optional(),
  scopes_supported: texts.optional().catch(undefined),
  grant_types_supported: texts.optional().catch(undefined),
  token_endpoint_auth_methods_supported: texts.optional().catch(undefined),
  revocation_endpoint_auth_methods_supported: texts.optional().catch(undefined),
  code_challenge_methods_supported: texts.optional().catch(undefined),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
})
type ResourceMetadata = z.infer<typeof RESOURCE_METADATA>

interface DiscoverOptions extends Pick<FlowContext, 'serverUrl' | 'http' | 'signal'> {
  readonly challenge: BearerChallenge
  /** The one to use again among several authorization servers (AUTH-47). */
  readonly preferredIssuer?: string
  /** For client credentials, which need no sign-in page and have no code to steal. */
  readonly alone?: boolean
}

/**
 * Finds the authorization server by the metadata address of the challenge, the well-known addresses, or, without any resource
 * metadata, the rules of 2025-03-26 (TRAP-36). Throws AuthorizationError `discovery` or `unreachable`.
 */
export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const metadata = await resourceMetadata(options)
  if (!metadata) return olderRules(options)
  const { serverUrl } = options
  if (!speaksFor(metadata.resource, serverUrl)) {
    throw failed(
      `The server’s metadata is for ${shown(metadata.resource)}, not for ${canonicalResource(serverUrl)}. Tokens for it could be used elsewhere.`,
    )
  }
  const issuer = await chooseIssuer(metadata, options)
  const server = await serverMetadata(issuer, options)
  if (!server) {
    // The default paths belong to 2025-03-26 alone (AUTH-50, TRAP-39).
    throw failed(`The authorization server ${shown(issuer)} has no metadata, so sign-in is not possible there.`)
  }
  // Exact (RFC 8414, 3.3): later checks compare with this name.
  if (server.issuer !== issuer) {
    throw failed(`The authorization server at ${shown(issuer)} says that it is ${shown(server.issuer)}.`)
  }
  await checkServer(server, options)
  return {
    rules: '2025-06-18',
    server,
    // Unchanged: the authorization server may compare exactly (TRAP-42).
    resource: metadata.resource,
    ...(metadata.scopes_supported && { scopesSupported: metadata.scopes_supported }),
  }
}

/** Possible addresses of a server's resource metadata, best first (RFC 9728, 3.1; AUTH-46). */
export function resourceMetadataUrls(serverUrl: string): readonly string[] {
  const { origin, pathname, search } = new URL(serverUrl)
  const path = pathname.replace(/(?<!\/)\/+$/, '')
  const root = `${origin}/.well-known/oauth-protected-resource`
  return path === '' ? [`${root}${search}`] : [`${root}${path}${search}`, root]
}

/** Possible addresses of an authorization server's metadata, best first (RFC 8414, 3.1; OpenID Connect Discovery). */
export function serverMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/(?<!\/)\/+$/, '')
  const forms = [`${origin}/.well-known/oauth-authorization-server${path}`, `${origin}/.well-known/openid-configuration${path}`]
  return path === '' ? forms : [...forms, `${origin}${path}/.well-known/openid-configuration`]
}

async function resourceMetadata({ serverUrl, challenge, http, signal }: DiscoverOptions): Promise<ResourceMetadata | undefined> {
  const named = challenge.resourceMetadata
  const guesses = resourceMetadataUrls(serverUrl)
  for (const url of named === undefined ? guesses : [named, ...guesses.filter((guess) => guess !== named)]) {
    const { status, json } = await http.getJson(url, 'the address of its metadata', HEADERS, signal)
    if (status >= 500) throw failed(`The server’s metadata cannot be read now (HTTP ${status}). Try again later.`)
    const parsed = RESOURCE_METADATA.safeParse(json)
    if (parsed.success) return parsed.data
    // Many servers answer any address with a page; only the named one must have metadata.
    if (url === named && status === 200) throw failed('The address that the server names has no metadata.')
  }
  return undefined
}

/** The issuer used before, else the first allowed one: always the same for the same metadata (AUTH-47). */
async function chooseIssuer(metadata: ResourceMetadata, options: DiscoverOptions): Promise<string> {
  const offered = metadata.authorization_servers ?? []
  if (offered.length === 0) throw failed('The server’s metadata names no authorization server.')
  const preferred = offered.find((issuer) => issuer === options.preferredIssuer)
  let refused: unknown
  for (const issuer of preferred === undefined ? offered.slice(0, 10) : [preferred]) {
    try {
      await options.http.reachable.check(issuer, 'the authorization server')
      return issuer
    } catch (error) {
      refused ??= error
    }
  }
  throw refused
}

async function serverMetadata(issuer: string, { http, signal }: DiscoverOptions): Promise<AuthorizationServer | undefined> {
  for (const url of serverMetadataUrls(issuer)) {
    const found = await readServerMetadata(url, http, signal)
    if (found) return found
  }
  return undefined
}

async function readServerMetadata(url: string, http: AuthHttp, signal: AbortSignal): Promise<AuthorizationServer | undefined> {
  const { status, json } = await http.getJson(url, 'the authorization server', HEADERS, signal)
  if (status >= 500) throw failed(`The authorization server ${shown(url)} cannot be used now (HTTP ${status}). Try again later.`)
  const parsed = SERVER_METADATA.safeParse(json)
  // The library's type is this shape with more optional members.
  return parsed.success ? (parsed.data as AuthorizationServer) : undefined
}

async function olderRules(options: DiscoverOptions): Promise<Discovered> {
  const { serverUrl, http, signal } = options
  const base = authorizationBase(serverUrl)
  const found = await readServerMetadata(`${base}/.well-known/oauth-authorization-server`, http, signal)
  if (found && URL.parse(found.issuer)?.origin !== base) {
    throw failed(`The server’s metadata sends you to ${shown(found.issuer)}, not to ${base}.`)
  }
  const server = found ?? {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    code_challenge_methods_supported: ['S256'],
  }
  await checkServer(server, options, true)
  return { rules: '2025-03-26', server }
}

/**
 * Every endpoint must be allowed and the issuer's own, and PKCE with S256 supported (V11 and AUTH-09, AUTH-13). An issuer could name
 * another one's sign-in page and its own token endpoint, and get that one's codes. Endpoints elsewhere are therefore allowed only if
 * answers name their issuer (RFC 9207).
 */
async function checkServer(server: AuthorizationServer, { http, alone = false }: DiscoverOptions, older = false): Promise<void> {
  const { reachable } = http
  if (!server.token_endpoint) throw failed('The authorization server names no address for tokens.')
  if (alone) {
    await reachable.check(server.token_endpoint, 'the address for tokens')
    return
  }
  if (!server.authorization_endpoint) throw failed('The authorization server names no page to sign in at.')
  for (const [what, url] of [
    ['the page to sign in at', server.authorization_endpoint],
    ['the address for tokens', server.token_endpoint],
    ['the address for registration', server.registration_endpoint],
    ['the address for revocation', server.revocation_endpoint],
  ] as const) {
    if (!url || (await reachable.check(url, what)).origin === new URL(server.issuer).origin) continue
    if (server.authorization_response_iss_parameter_supported) continue
    throw failed(
      `The authorization server ${shown(server.issuer)} names ${shown(url)} as ${what}, on another host, and its answers do not name their sender. Another server could send them.`,
    )
  }
  const methods = server.code_challenge_methods_supported
  if (methods ? !methods.includes('S256') : !older) {
    throw failed('The authorization server does not offer PKCE with S256, without which an answer could be stolen.')
  }
}

/** Without query, name and password. An address without a path is shown without one, since issuers may differ in a slash. */
function shown(text: string): string {
  const url = URL.parse(text)
  if (!url) return `“${text}”`.slice(0, 200)
  const path = text === url.origin ? '' : url.pathname
  return `${url.origin}${path}`.slice(0, 200)
}

function failed(message: string): AuthorizationError {
  return new AuthorizationError('discovery', message)
}
