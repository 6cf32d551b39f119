import * as oauth from 'oauth4webapi'
import { delay } from '../../src-shared/base/clock.ts'
import { AuthorizationError } from './authorization-error.ts'
import type { BearerChallenge } from './challenge.ts'
import { type Discovered, discover } from './discovery.ts'
import type { FlowContext } from './flow-context.ts'
import type { ClientIdentity, TokenGrant } from './grants.ts'
import { LoopbackRedirect } from './loopback-redirect.ts'
import type { AuthorizationReason, AuthorizationRequest, AuthorizationStep, Person } from './person.ts'
import { identify } from './registration.ts'
import { canonicalResource } from './resource-uri.ts'
import { exchangeCode, keptMetadata } from './token-endpoint.ts'

interface FlowOptions extends FlowContext {
  readonly challenge: BearerChallenge
  readonly reason: AuthorizationReason
  /** The earlier grant, whose client is reused and whose scopes are requested again. */
  readonly before?: TokenGrant
  readonly person: Person
  /** Gets texts that must never be shown, such as the verifier and the code. */
  readonly protect: (secrets: readonly string[]) => void
  readonly onStep: (step: AuthorizationStep) => void
}

const WAIT_MS = 10 * 60_000

/**
 * Signs a person in: discovery, registration, the question, the browser, the exchange. One attempt without retries (AUTH-31).
 * Rejects with AuthorizationError, or the signal's reason.
 */
export async function authorize(options: FlowOptions): Promise<TokenGrant> {
  const { serverUrl, challenge, reason, before, person, signal } = options
  const found = await discover({ ...options, ...(before && { preferredIssuer: before.issuer }) })
  const { server, resource } = found
  // A client and its secret belong to one issuer, with an unchanged token endpoint.
  const same = before?.issuer === server.issuer && originOf(before.server.token_endpoint) === originOf(server.token_endpoint)
  const known = same ? before.client : undefined
  const sameIssuer = before?.issuer === server.issuer
  const scopes = wantedScopes(found, challenge, sameIssuer ? (before.asked ?? before.tokens?.scopes ?? []) : [])
  // A client that a person registered at another issuer is not tried; the question names that issuer (V26-AUTH-7).
  const former = before && !sameIssuer && before.client.how === 'typed' ? before.issuer : undefined
  const tokenHost = new URL(server.token_endpoint ?? server.issuer).host
  const redirect = await LoopbackRedirect.open(portOf(known))
  try {
    const { uri: redirectUri } = redirect
    const question = { issuer: server.issuer, tokenHost, redirectUri, ...(former !== undefined && { former }) }
    const askPerson = () => person.clientFor(question, signal)
    const client = await identify({ ...options, server, redirectUri: redirect.uri, scopes, askPerson, ...(known && { known }) })
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
      // Required for a refresh token with this scope (OpenID Connect Core, 11).
      ...(scopes.includes('offline_access') && { prompt: 'consent' }),
      ...(resource !== undefined && { resource }),
    })
    const { host, href } = url
    const request = { host, issuer: server.issuer, tokenHost, scopes, reason, url: href, redirectUri: redirect.uri }
    const answer = await answerOf(redirect, request, state, options)
    const code = answer.get('code')
    if (code !== null) options.protect([code])
    checkIssuer(server, answer)
    const checked = checkAnswer(server, client, answer, state)
    const parts = { ...options, server, client, ...(resource !== undefined && { resource }) }
    const tokens = await exchangeCode(parts, checked, redirect.uri, verifier, scopes)
    return {
      issuer: server.issuer,
      resource: resource ?? '',
      serverUrl: canonicalResource(serverUrl),
      server: keptMetadata(server),
      client,
      asked: scopes,
      tokens,
    }
  } finally {
    redirect.close()
  }
}

/**
 * The scopes of the challenge, else of the metadata, else the authorization server decides. Scopes requested before at the same
 * issuer are requested again, granted or not.
 */
function wantedScopes(
  { server, scopesSupported }: Pick<Discovered, 'server' | 'scopesSupported'>,
  challenge: BearerChallenge,
  before: readonly string[],
): readonly string[] {
  const wanted = new Set([...before, ...(challenge.scopes ?? (before.length > 0 ? [] : (scopesSupported ?? [])))])
  // `offline_access` is requested where it is supported, or where the challenge requires it.
  if (wanted.size > 0 && server.scopes_supported?.includes('offline_access')) wanted.add('offline_access')
  else if (!challenge.scopes?.includes('offline_access')) wanted.delete('offline_access')
  return [...wanted]
}

function authorizationUrl(server: oauth.AuthorizationServer, params: Readonly<Record<string, string>>): URL {
  // Discovery ensures an authorization endpoint.
  const url = new URL(server.authorization_endpoint ?? server.issuer)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url
}

/** The answer from the browser, or as the person pasted it. */
async function answerOf(
  redirect: LoopbackRedirect,
  request: AuthorizationRequest,
  state: string,
  { person, clock, signal, onStep }: FlowOptions,
): Promise<URLSearchParams> {
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const paste = (address: string) => redirect.paste(address)
  let step: AuthorizationStep = { request, paste, foreign: false }
  const enter = (change: Partial<AuthorizationStep>) => {
    step = { ...step, ...change }
    onStep(step)
  }
  redirect.expect(
    (answer) => (answer.get('state') === state ? undefined : 'This address belongs to another sign-in.'),
    () => {
      if (step.foreign || until.aborted) return
      // The answer may come before the browser counts as opened: then the next step reports it.
      if (step.waitingSince === undefined) step = { ...step, foreign: true }
      else enter({ foreign: true })
    },
  )
  const asking = async (): Promise<never> => {
    enter({})
    if (!(await person.confirm(request, paste, until))) throw denied('You did not sign in.')
    const late = delay(clock, WAIT_MS, until).then(() => {
      throw new AuthorizationError('expired', `The sign-in at ${request.host} was not completed in time. Sign in again.`)
    })
    enter({ waitingSince: clock.now() })
    await Promise.race([person.wait(request, paste, until), late])
    throw denied('The sign-in was cancelled.')
  }
  const asked = asking()
  asked.catch(() => {}) // The race below reports it.
  try {
    return await Promise.race([redirect.received, asked])
  } finally {
    over.abort(new DOMException('The sign-in has continued.', 'AbortError'))
  }
}

/**
 * The issuer in the answer must be the recorded one, character by character, even if it was not announced. Checked before anything
 * else in the answer, a refusal included (RFC 9207).
 */
function checkIssuer(server: oauth.AuthorizationServer, answer: URLSearchParams): void {
  const named = answer.getAll('iss')
  const announced = server.authorization_response_iss_parameter_supported === true
  if (named.every((issuer) => issuer === server.issuer) && named.length <= 1 && (named.length === 1 || !announced)) return
  const { host } = new URL(server.issuer)
  const text = `The answer does not come from ${host}, where you signed in, so it was not used.`
  throw new AuthorizationError('issuer-mismatch', text)
}

/** Checks the state of the answer, and throws for a refusal. */
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
      if (error.error === 'access_denied') throw denied(`${host} refused the sign-in.`)
      const said = error.error_description ? ` It said: ${error.error_description.slice(0, 200)}` : ''
      throw new AuthorizationError('refused', `${host} did not sign you in (${error.error.slice(0, 60)}).${said}`)
    }
    throw new AuthorizationError('refused', `The answer from ${host} does not fit the sign-in.`)
  }
}

/** The port of a registered redirect URI, so that the registration can be used again. */
function portOf(known: ClientIdentity | undefined): number | undefined {
  const port = known?.redirectUri === undefined ? 0 : Number(new URL(known.redirectUri).port)
  return port > 0 ? port : undefined
}

const originOf = (address: string | undefined) => (address === undefined ? undefined : new URL(address).origin)
const denied = (message: string) => new AuthorizationError('denied', message)
