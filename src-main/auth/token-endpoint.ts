import * as oauth from 'oauth4webapi'
import { defined } from '../../src-shared/base/defined.ts'
import { isObject } from '../../src-shared/base/json.ts'
import { AuthorizationError } from './authorization-error.ts'
import { scopesOf } from './challenge.ts'
import type { FlowContext } from './flow-context.ts'
import type { ClientIdentity, Tokens } from './grants.ts'

interface TokenEndpointParts extends Pick<FlowContext, 'http' | 'clock' | 'signal'> {
  readonly server: oauth.AuthorizationServer
  readonly client: ClientIdentity
  /** Sent with every request if there is resource metadata (AUTH-52, AUTH-56). */
  readonly resource?: string
}

/** The authorization server rejected this grant or client permanently; only a new sign-in helps. */
export class GrantOver extends AuthorizationError {
  readonly clientToo: boolean
  readonly said: string | undefined

  constructor(clientToo: boolean, said?: string) {
    super('expired', 'Your sign-in has expired. Sign in again.')
    this.clientToo = clientToo
    this.said = said
  }
}

/** Redeems the code of a checked answer. Throws AuthorizationError. */
export function exchangeCode(
  parts: TokenEndpointParts,
  answer: URLSearchParams,
  redirectUri: string,
  verifier: string,
  askedScopes: readonly string[],
): Promise<Tokens> {
  return ask(parts, 'the sign-in', askedScopes, async (client, auth, options) => {
    const response = await oauth.authorizationCodeGrantRequest(parts.server, client, auth, answer, redirectUri, verifier, options)
    return oauth.processAuthorizationCodeResponse(parts.server, client, await bounded(response))
  })
}

/** Renews tokens; a new refresh token replaces the old one (AUTH-23, AUTH-58). Throws GrantOver when the grant has ended. */
export async function refreshTokens(parts: TokenEndpointParts, before: Tokens): Promise<Tokens> {
  const { refreshToken } = before
  if (refreshToken === undefined) throw new GrantOver(false)
  const tokens = await ask(parts, 'the renewal of the sign-in', before.scopes, async (client, auth, options) => {
    const response = await oauth.refreshTokenGrantRequest(parts.server, client, auth, refreshToken, options)
    return oauth.processRefreshTokenResponse(parts.server, client, await bounded(response))
  })
  return { refreshToken, ...tokens }
}

/** Tokens for client credentials, a secret or a signature (RFC 6749, 4.4). Throws AuthorizationError. */
export async function clientTokens(
  parts: TokenEndpointParts,
  proof: string | oauth.ClientAuth,
  scopes: readonly string[],
): Promise<Tokens> {
  const { server, resource } = parts
  const { clientId } = parts.client
  const known = typeof proof === 'string' ? { ...parts, client: { ...parts.client, clientSecret: proof } } : parts
  const params = { ...(resource !== undefined && { resource }), ...(scopes.length > 0 && { scope: scopes.join(' ') }) }
  try {
    return await ask(known, `the sign-in of client “${clientId}”`, scopes, async (client, auth, options) => {
      const { additionalParameters: _resource, ...rest } = options
      const shown = typeof proof === 'string' ? auth : proof
      const response = await oauth.clientCredentialsGrantRequest(server, client, shown, params, rest)
      return oauth.processClientCredentialsResponse(server, client, await bounded(response))
    })
  } catch (error) {
    if (!(error instanceof GrantOver)) throw error
    const { host } = new URL(server.issuer)
    const why =
      error.said === 'unauthorized_client'
        ? 'may not sign in by itself (unauthorized_client)'
        : `or its ${typeof proof === 'string' ? 'secret' : 'key'} is unknown (${error.said ?? 'invalid_client'})`
    throw new AuthorizationError('refused', `${host} refused: client “${clientId}” ${why}. Check it in “Edit server”.`)
  }
}

/** Revokes the tokens if the authorization server supports it. False when it did not. */
export async function revoke(parts: TokenEndpointParts, tokens: Tokens): Promise<boolean> {
  const { server, http, signal } = parts
  if (!server.revocation_endpoint) return false
  const client = { client_id: parts.client.clientId }
  try {
    for (const token of [tokens.refreshToken, tokens.accessToken]) {
      if (token === undefined) continue
      const options = { signal, [oauth.customFetch]: http.fetch, [oauth.allowInsecureRequests]: true }
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, clientAuth(parts, 'revocation'), token, options),
      )
    }
    return true
  } catch {
    return false
  }
}

type Options = oauth.TokenEndpointRequestOptions
type Request = (client: oauth.Client, auth: oauth.ClientAuth, options: Options) => Promise<oauth.TokenEndpointResponse>

async function ask(parts: TokenEndpointParts, what: string, asked: readonly string[], request: Request): Promise<Tokens> {
  const { server, http, signal, clock, resource } = parts
  const client: oauth.Client = { client_id: parts.client.clientId }
  const options: Options = {
    signal,
    [oauth.customFetch]: http.fetch,
    // `Reachable` allows http on this computer alone.
    [oauth.allowInsecureRequests]: true,
    ...(resource !== undefined && { additionalParameters: { resource } }),
  }
  let response: oauth.TokenEndpointResponse
  try {
    response = await request(client, clientAuth(parts, 'token'), options)
  } catch (error) {
    signal.throwIfAborted()
    throw explained(error, what, new URL(server.issuer).host)
  }
  if (response.token_type !== 'bearer') {
    throw new AuthorizationError('refused', 'The authorization server sent a kind of token that Parley cannot use.')
  }
  const now = clock.now()
  return {
    accessToken: response.access_token,
    ...(response.refresh_token && { refreshToken: response.refresh_token }),
    // Without a list all requested scopes are granted (RFC 6749, 5.1).
    scopes: [...(response.scope === undefined ? asked : scopesOf(response.scope))],
    at: now,
    ...(response.expires_in !== undefined && { expiresAt: now + response.expires_in * 1000 }),
  }
}

/** The metadata that renewal and sign-out need; all of it may be large. */
export function keptMetadata(server: oauth.AuthorizationServer): oauth.AuthorizationServer {
  const { issuer, token_endpoint, revocation_endpoint } = server
  const { token_endpoint_auth_methods_supported, revocation_endpoint_auth_methods_supported } = server
  return {
    issuer,
    ...defined({
      token_endpoint,
      revocation_endpoint,
      token_endpoint_auth_methods_supported,
      revocation_endpoint_auth_methods_supported,
    }),
  }
}

/** The registered method of client authentication, else the first that both sides support (AUTH-59). */
function clientAuth(parts: TokenEndpointParts, at: 'token' | 'revocation'): oauth.ClientAuth {
  const { client, server } = parts
  const { clientSecret } = client
  if (clientSecret === undefined || client.authMethod === 'none') return oauth.None()
  const offered =
    (at === 'revocation' && server.revocation_endpoint_auth_methods_supported) || server.token_endpoint_auth_methods_supported
  const method =
    client.authMethod ??
    ['client_secret_basic', 'client_secret_post'].find((one) => offered?.includes(one)) ??
    'client_secret_basic'
  return method === 'client_secret_post' ? oauth.ClientSecretPost(clientSecret) : basicAuth(client.clientId, clientSecret)
}

/**
 * Unlike the library, leaves letters, digits, `-`, `.` and `_` unencoded. Encoding them means the same (RFC 6749, 2.3.1), but many
 * servers do not decode.
 */
function basicAuth(clientId: string, clientSecret: string): oauth.ClientAuth {
  const encoded = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
  const credentials = Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`)
}

/** Ten years in seconds, the longest life of a token. */
const MAX_LIFE = 10 * 365 * 24 * 3600

/**
 * Removes an ID token, which is not needed, and a life that is not a number of seconds.
 */
async function bounded(response: Response): Promise<Response> {
  if (!response.ok) return response
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined) // The library refuses an answer without JSON.
  if (!isObject(body)) return response
  const { id_token: _unread, expires_in: said, ...rest } = body
  const life = Math.min(typeof said === 'number' ? said : Number.parseFloat(String(said)), MAX_LIFE)
  return Response.json(life >= 0 ? { ...rest, expires_in: life } : rest, { status: response.status })
}

/** Quotes only the server's error code and description, nothing of the request or of a successful answer. */
function explained(error: unknown, what: string, host: string): AuthorizationError {
  if (error instanceof AuthorizationError) return error
  if (error instanceof oauth.ResponseBodyError) {
    if (error.error === 'invalid_grant') return new GrantOver(false, error.error)
    if (error.error === 'invalid_client' || error.error === 'unauthorized_client') return new GrantOver(true, error.error)
    return new AuthorizationError('refused', `${host} refused ${what}: ${errorText(error)}.`)
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) return new GrantOver(true)
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
    const status = error.cause instanceof Response ? ` (HTTP ${error.cause.status})` : ''
    return new AuthorizationError('refused', `The answer of ${host} to ${what} cannot be used${status}.`)
  }
  return new AuthorizationError('refused', `The request to ${host} for ${what} failed.`)
}

function errorText({ error, error_description: description, status }: oauth.ResponseBodyError): string {
  const known: Readonly<Record<string, string>> = {
    invalid_request: 'it calls the request invalid',
    invalid_scope: 'it does not know the permissions that the server requires',
    invalid_target: 'it gives no tokens for this server',
    unsupported_grant_type: 'it does not offer this way to sign in',
  }
  const code = `${error.slice(0, 60)}, HTTP ${status}`
  const more = description ? ` It said: ${description.slice(0, 200)}` : ''
  return `${known[error] ? `${known[error]} (${code})` : code}${more}`
}
