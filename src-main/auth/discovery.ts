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
  /** The resource that tokens are requested for; absent by the rules of 2025-03-26 (AUTH-42). */
  readonly resource?: string
  /** The scopes of the resource metadata. */
  readonly scopesSupported?: readonly string[]
}

/** Our newest revision: the handshake that would tell a better one comes after the sign-in (AUTH-35, TRAP-41). */
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
  /** Among several authorization servers this one is taken again (AUTH-47). */
  readonly preferredIssuer?: string
  /** A client signs in as itself: no page to sign in at is needed, and no code is on its way that could be stolen. */
  readonly alone?: boolean
}

/**
 * Finds who signs people in: by the challenge's metadata address, by the well-known ones, and only if there is no resource
 * metadata at all by the rules of 2025-03-26 (TRAP-36). Throws AuthorizationError `discovery` or `unreachable`.
 */
export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const metadata = await resourceMetadata(options)
  if (!metadata) return olderRules(options)
  const { serverUrl } = options
  if (!speaksFor(metadata.resource, serverUrl)) {
    throw failed(
      `The server’s metadata speaks for ${shown(metadata.resource)}, not for ${canonicalResource(serverUrl)}. Tokens for it could be used elsewhere.`,
    )
  }
  const issuer = await chooseIssuer(metadata, options)
  const server = await serverMetadata(issuer, options)
  if (!server) {
    // The default paths belong to 2025-03-26 alone (AUTH-50, TRAP-39).
    throw failed(`The authorization server ${shown(issuer)} has no metadata, so sign-in is not possible there.`)
  }
  // Letter by letter (RFC 8414, 3.3): every check of who answered compares with this name.
  if (server.issuer !== issuer) {
    throw failed(`What answers at ${shown(issuer)} calls itself ${shown(server.issuer)}.`)
  }
  await checkServer(server, options)
  return {
    rules: '2025-06-18',
    server,
    // As it was written: the authorization server may compare letter by letter (TRAP-42).
    resource: metadata.resource,
    ...(metadata.scopes_supported && { scopesSupported: metadata.scopes_supported }),
  }
}

/** Where resource metadata of a server may lie, best first (RFC 9728, 3.1; AUTH-46). */
export function resourceMetadataUrls(serverUrl: string): readonly string[] {
  const { origin, pathname, search } = new URL(serverUrl)
  const path = pathname.replace(/(?<!\/)\/+$/, '')
  const root = `${origin}/.well-known/oauth-protected-resource`
  return path === '' ? [`${root}${search}`] : [`${root}${path}${search}`, root]
}

/** Where metadata of an authorization server may lie, best first (RFC 8414, 3.1; OpenID Connect Discovery). */
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
    // Many servers answer any address with a page; only what the challenge names has to be metadata.
    if (url === named && status === 200) throw failed('The address that the server names has no metadata.')
  }
  return undefined
}

/** The one that was used before, else the first that may be used: always the same for the same metadata (AUTH-47). */
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
 * Every endpoint may be reached and is the issuer's own, and PKCE with S256 is there (V11 and AUTH-09, AUTH-13). An issuer could
 * name the page of another one and its own address for tokens, and be given that one's codes: elsewhere endpoints may lie only if
 * answers say who they come from (RFC 9207).
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
      `The authorization server ${shown(server.issuer)} names ${shown(url)} as ${what}, on another host, and does not say that its answers name it. They could come from another server.`,
    )
  }
  const methods = server.code_challenge_methods_supported
  if (methods ? !methods.includes('S256') : !older) {
    throw failed('The authorization server does not offer PKCE with S256, without which an answer could be stolen.')
  }
}

function shown(text: string): string {
  const url = URL.parse(text)
  return (url ? `${url.origin}${url.pathname}` : `“${text}”`).slice(0, 200)
}

function failed(message: string): AuthorizationError {
  return new AuthorizationError('discovery', message)
}
