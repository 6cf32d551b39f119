import * as oauth from 'oauth4webapi'
import { type Clock, delay } from '../../src-shared/base/clock.ts'
import type { AuthHttp } from './auth-http.ts'
import { AuthorizationError } from './authorization-error.ts'
import type { BearerChallenge } from './challenge.ts'
import { type Discovered, discover } from './discovery.ts'
import type { ClientIdentity, Grant } from './grants.ts'
import { LoopbackRedirect } from './loopback-redirect.ts'
import type { Person, SignInQuestion, SignInReason } from './person.ts'
import { identify } from './registration.ts'
import { canonicalResource } from './resource-uri.ts'
import { exchangeCode } from './token-endpoint.ts'

export interface SignInOptions {
  readonly serverUrl: string
  readonly challenge: BearerChallenge
  readonly reason: SignInReason
  /** What was granted before: its client is used again, and what it asked for is asked for again when more is wanted. */
  readonly before?: Grant
  readonly metadataUrl?: string
  readonly person: Person
  readonly http: AuthHttp
  readonly clock: Clock
  /** Told of what must not be shown: the verifier, the code. */
  readonly protect: (secrets: readonly string[]) => void
  readonly signal: AbortSignal
}

/** How long the browser is waited for. */
const WAIT_MS = 10 * 60_000

/**
 * A person signs in: discovery, registration, the question, the browser, the exchange. One attempt; nothing is repeated by itself
 * (AUTH-31). Rejects with AuthorizationError, or the signal's reason.
 */
export async function signIn(options: SignInOptions): Promise<Grant> {
  const { serverUrl, challenge, reason, before, http, clock, signal, person } = options
  const found = await discover({ serverUrl, challenge, http, signal, ...(before && { preferredIssuer: before.issuer }) })
  const { server, resource } = found
  // Who we are to an issuer, and our secret there, is for it alone, at the address that it had.
  const same = before?.issuer === server.issuer && originOf(before.server.token_endpoint) === originOf(server.token_endpoint)
  const known = same ? before.client : undefined
  const scopes = wantedScopes(found, challenge, reason === 'more-scopes' ? (before?.asked ?? before?.tokens?.scopes ?? []) : [])
  const tokenHost = new URL(server.token_endpoint ?? server.issuer).host
  const redirect = await LoopbackRedirect.open(portOf(known))
  try {
    const client = await identify({
      server,
      redirectUri: redirect.uri,
      scopes,
      http,
      signal,
      now: clock.now(),
      askPerson: (until) => person.clientFor({ issuer: server.issuer, tokenHost, redirectUri: redirect.uri }, until),
      ...(known && { known }),
      ...(options.metadataUrl !== undefined && { metadataUrl: options.metadataUrl }),
    })
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    options.protect([verifier, ...(client.clientSecret === undefined ? [] : [client.clientSecret])])
    const url = authorizationUrl(server, {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: redirect.uri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      // Without it a refresh token may not be given for this scope (OpenID Connect Core, 11).
      ...(scopes.includes('offline_access') && { prompt: 'consent' }),
      ...(resource !== undefined && { resource }),
    })
    const { host, href } = url
    const question = { host, issuer: server.issuer, tokenHost, scopes, reason, url: href, redirectUri: redirect.uri }
    redirect.expect(
      (answer) => (answer.get('state') === state ? undefined : 'This address belongs to another sign-in than the one under way.'),
      () => person.foreign(),
    )
    const answer = await answerOf(redirect, question, options)
    const code = answer.get('code')
    if (code !== null) options.protect([code])
    const checked = checkAnswer(server, client, answer, state)
    const parts = { server, client, http, clock, signal, ...(resource !== undefined && { resource }) }
    const tokens = await exchangeCode(parts, checked, redirect.uri, verifier, scopes)
    return {
      issuer: server.issuer,
      resource: resource ?? '',
      serverUrl: canonicalResource(serverUrl),
      server: kept(server),
      client,
      asked: scopes,
      tokens,
    }
  } finally {
    redirect.close()
  }
}

/**
 * The challenge says what is wanted; else the metadata; else the authorization server decides. What was asked for before stays,
 * whatever of it was granted.
 */
export function wantedScopes(
  { server, scopesSupported }: Pick<Discovered, 'server' | 'scopesSupported'>,
  challenge: BearerChallenge,
  before: readonly string[],
): readonly string[] {
  const wanted = new Set([...before, ...(challenge.scopes ?? (before.length > 0 ? [] : (scopesSupported ?? [])))])
  // A sign-in that lasts is asked for where it is offered.
  if (wanted.size > 0 && server.scopes_supported?.includes('offline_access')) wanted.add('offline_access')
  return [...wanted]
}

function authorizationUrl(server: oauth.AuthorizationServer, params: Readonly<Record<string, string>>): URL {
  // Discovery does not let a server through without one.
  const url = new URL(server.authorization_endpoint ?? server.issuer)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url
}

/** The answer, from the browser or as the person pasted it; whichever comes first. */
async function answerOf(
  redirect: LoopbackRedirect,
  question: SignInQuestion,
  { person, clock, signal }: SignInOptions,
): Promise<URLSearchParams> {
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const take = (address: string) => redirect.paste(address)
  const asking = async (): Promise<never> => {
    if (!(await person.confirm(question, take, until))) throw denied('You did not sign in.')
    const late = delay(clock, WAIT_MS, until).then(() => {
      throw new AuthorizationError('expired', `Nobody came back from ${question.host} in time. Sign in again.`)
    })
    await Promise.race([person.wait(question, take, until), late])
    throw denied('The sign-in was cancelled.')
  }
  const asked = asking()
  asked.catch(() => {})
  try {
    return await Promise.race([redirect.received, asked])
  } finally {
    over.abort(new DOMException('The sign-in went on.', 'AbortError'))
  }
}

/** The answer's own checks: who sent it (RFC 9207), whether it is a no. */
function checkAnswer(
  server: oauth.AuthorizationServer,
  client: ClientIdentity,
  answer: URLSearchParams,
  state: string,
): URLSearchParams {
  const host = new URL(server.issuer).host
  try {
    return oauth.validateAuthResponse(server, { client_id: client.clientId }, answer, state)
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      if (error.error === 'access_denied') throw denied(`The sign-in at ${host} was refused there.`)
      const said = error.error_description ? ` It said: ${error.error_description.slice(0, 200)}` : ''
      throw new AuthorizationError('refused', `${host} did not sign you in (${error.error.slice(0, 60)}).${said}`)
    }
    const from = answer.get('iss')
    if (from !== server.issuer && (from !== null || server.authorization_response_iss_parameter_supported)) {
      throw new AuthorizationError(
        'issuer-mismatch',
        `The answer does not come from ${host}, where you were sent to sign in. Nothing was given away.`,
      )
    }
    throw new AuthorizationError('refused', `What came back from ${host} is no answer to a sign-in.`)
  }
}

/** The members that renewal and sign-out need; metadata may be large. */
function kept(server: oauth.AuthorizationServer): oauth.AuthorizationServer {
  const { issuer, token_endpoint, revocation_endpoint } = server
  const { token_endpoint_auth_methods_supported, revocation_endpoint_auth_methods_supported } = server
  return {
    issuer,
    ...(token_endpoint !== undefined && { token_endpoint }),
    ...(revocation_endpoint !== undefined && { revocation_endpoint }),
    ...(token_endpoint_auth_methods_supported && { token_endpoint_auth_methods_supported }),
    ...(revocation_endpoint_auth_methods_supported && { revocation_endpoint_auth_methods_supported }),
  }
}

/** The port that a registered address names, so that the registration can be used again. */
function portOf(known: ClientIdentity | undefined): number | undefined {
  const port = known?.redirectUri === undefined ? 0 : Number(new URL(known.redirectUri).port)
  return port > 0 ? port : undefined
}

const originOf = (address: string | undefined) => (address === undefined ? undefined : new URL(address).origin)
const denied = (message: string) => new AuthorizationError('denied', message)
