import { defined } from '../../../src-shared/base/defined.ts'
import { PausableClock } from '../../../src-shared/base/pausable-clock.ts'
import type { ServerSignIn, StoredCredential } from '../../../src-shared/contract/authorization.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { AuthHttp } from '../../auth/auth-http.ts'
import { Authorization, type AuthorizationState, type Unattended } from '../../auth/authorization.ts'
import { AuthorizationError } from '../../auth/authorization-error.ts'
import { authorizedFetch } from '../../auth/authorized-fetch.ts'
import { clientGrant } from '../../auth/client-credentials.ts'
import type { Person } from '../../auth/person.ts'
import { Reachable } from '../../auth/reachable.ts'
import { TokenStore } from '../../auth/token-store.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import type { HttpFetch } from '../../transports/http/http-fetch.ts'
import type { HostCore } from '../core/host-core.ts'
import { SignInClients, type StoredClient, shownClient } from '../launch/sign-in-clients.ts'
import { authorizationPerson } from './authorization-person.ts'
import { type CallsInFlight, causeOf } from './calls-in-flight.ts'
import type { ServerLog } from './server-log.ts'
import type { TrafficLog } from './traffic-log.ts'

/** Names the address at which `assets/client-metadata.json` is published for authorization servers. */
const METADATA_VARIABLE = 'PARLEY_CLIENT_METADATA_URL'
const SCOPES_SHOWN = 100

interface ServerAuthorizationParts
  extends Pick<HostCore, 'clock' | 'lifetime' | 'storage' | 'connector' | 'interactions' | 'platform' | 'environment'> {
  readonly id: ServerId
  readonly name: string
  readonly log: ServerLog
  readonly traffic: TrafficLog
  readonly inFlight: CallsInFlight
  readonly onView: (view: Pick<ServerRecord, 'signIn' | 'signsInAs' | 'credentials'>) => void
}

/** The authorization at one remote server: asks the person, shows its state, and sends requests with its token. */
export class ServerAuthorization {
  /** Clock of requests to this server; it is paused while a person signs in. */
  readonly requestClock: PausableClock
  readonly #parts: ServerAuthorizationParts
  readonly #store: TokenStore
  readonly #clients: SignInClients
  /** The client that signs in without a person. */
  #client: StoredClient | undefined
  #clientRead: Promise<void> | undefined
  #current: { readonly url: string; readonly authorization: Authorization } | undefined
  #release: (() => void) | undefined
  /** True if a person started the server, and so may be asked, until it runs or has failed. */
  #clicked = false
  /** Reasons why a person waits for this server, other than tool calls, the oldest first. */
  readonly #waits = new Set<{ readonly why: string }>()
  #secrets: readonly string[] = []
  #signIns = 0
  #onSecrets: (secrets: readonly string[]) => void = () => {}

  constructor(parts: ServerAuthorizationParts) {
    this.#parts = parts
    this.requestClock = new PausableClock(parts.clock)
    this.#clients = new SignInClients(parts.storage.secrets)
    this.#store = new TokenStore({
      secrets: parts.storage.secrets,
      owner: parts.id,
      onSecrets: (secrets) => {
        this.#secrets = secrets
        this.#onSecrets(secrets)
      },
      onError: (error) => this.#remark(error),
    })
  }

  /** Calls `listen` with the secrets to redact from this server's texts, now and after each change. */
  tellSecrets(listen: (secrets: readonly string[]) => void): void {
    this.#onSecrets = listen
    listen(this.#secrets)
  }

  /** Adds secrets that a person gave to this server to those that are redacted. */
  protect(secrets: readonly string[]): void {
    this.#store.protect(secrets)
  }

  /** Changes with every sign-in or sign-out, since another account must get nothing of the one before. */
  get account(): number {
    return this.#signIns
  }

  /** Shows the stored credentials for a server at this address. A program has none, also one that took the place of an address. */
  async show(url: string | undefined): Promise<void> {
    if (url === undefined) this.#leave()
    else {
      await this.#readClient()
      await this.#for(url).load()
    }
    this.#publish()
  }

  /** Forgets the grants of the client before. */
  async clientChanged(url: string | undefined): Promise<void> {
    this.#clientRead = undefined
    await this.#store.load()
    await this.#store.clear()
    this.#leave()
    this.#signIns += 1
    await this.show(url)
  }

  /** True if a client signs in at this address without a person. */
  isUnattended(url: string): boolean {
    return this.#client !== undefined && this.#client.origin === URL.parse(url)?.origin
  }

  /** Lets the person be asked until `settled`, because they started or allowed the server. */
  clicked(): void {
    this.#clicked = true
  }

  /** Ends the effect of `clicked`, because the server runs or has failed. */
  settled(): void {
    this.#clicked = false
  }

  /** Lets the person be asked, because they wait for this server, until the returned function is called. */
  awaited(why: string): () => void {
    const wait = { why }
    this.#waits.add(wait)
    return () => void this.#waits.delete(wait)
  }

  /** Sends requests with the token of a server at this address. Failures of the authorization become TransportErrors. */
  fetchFor(url: string): HttpFetch {
    const fetch = authorizedFetch(this.#parts.connector.request, this.#for(url))
    return async (request) => {
      try {
        await this.#readClient()
        return await fetch(request)
      } catch (error) {
        if (!(error instanceof AuthorizationError)) throw error
        const code = error.code === 'unreachable' ? 'unreachable' : 'unauthorized'
        throw new TransportError(code, error.message, {}, { cause: error })
      }
    }
  }

  /** Begins a sign-in that a person asked for; the server's record shows its progress. */
  authorize(url: string): void {
    this.#clicked = true
    this.#for(url)
      .authorize({}, undefined, this.#parts.lifetime.signal)
      .catch((error: unknown) => this.#remark(error))
      .finally(() => this.settled())
  }

  /** Resolves to true after the next sign-in; to false at once when the server needs none. Rejects when aborted. */
  async signedIn(signal: AbortSignal): Promise<boolean> {
    return (await this.#current?.authorization.signedIn(signal)) ?? false
  }

  cancel(): void {
    this.#current?.authorization.cancel()
  }

  /** Takes the address at which the browser ended. Throws HostError `invalid-params`, or `unavailable` when no sign-in is under way. */
  paste(address: string): void {
    const state = this.#current?.authorization.state
    const step = state?.is === 'under-way' ? state.step : undefined
    if (!step) throw new HostError('unavailable', 'No sign-in to this server is under way.')
    const wrong = step.paste(address)
    if (wrong !== undefined) throw new HostError('invalid-params', wrong)
  }

  /** Signs out; a running connection continues until the server asks for a token again. */
  async forget(everything: boolean): Promise<void> {
    this.#signIns += 1
    if (this.#current) await this.#current.authorization.forget(everything)
    else {
      await this.#store.load()
      if (everything) await this.#store.clear()
    }
    this.#publish()
  }

  #leave(): void {
    this.#current?.authorization.cancel()
    this.#current = undefined
  }

  #for(url: string): Authorization {
    if (this.#current?.url === url) return this.#current.authorization
    this.#leave()
    const { connector, clock, traffic, lifetime, environment } = this.#parts
    const metadataUrl = environment[METADATA_VARIABLE]
    const onExchange = (text: string) => traffic.tap({ direction: 'http', text })
    const http = new AuthHttp({ fetch: connector.request, reachable: new Reachable(url), clock, onExchange })
    const authorization: Authorization = new Authorization({
      serverUrl: url,
      store: this.#store,
      http,
      clock,
      person: () => this.#person(),
      unattended: () => this.#unattended(url, http),
      onChange: () => {
        if (this.#current?.authorization === authorization) this.#publish()
      },
      onFlow: (running) => {
        if (running) this.#signIns += 1
        this.#release?.()
        this.#release = running ? this.requestClock.hold() : undefined
      },
      signal: lifetime.signal,
      ...(metadataUrl && { metadataUrl }),
    })
    this.#current = { url, authorization }
    return authorization
  }

  /** Never rejects: a client that cannot be read has to be entered again. */
  #readClient(): Promise<void> {
    this.#clientRead ??= this.#clients
      .read(this.#parts.id)
      .then((client) => {
        this.#client = client
        const secret = client?.key?.pem ?? client?.secret
        if (secret !== undefined) this.protect([secret])
      })
      .catch((error: unknown) => this.#remark(error))
    return this.#clientRead
  }

  #unattended(url: string, http: AuthHttp): Unattended | undefined {
    const client = this.#client
    if (!client || !this.isUnattended(url)) return undefined
    const { clock, id } = this.#parts
    return async (challenge, before, signal) => {
      const grant = await clientGrant({ serverUrl: url, http, clock, signal, client, challenge, ...(before && { before }) })
      // The first authorization server that a client is used at becomes its only one (XAUTH-3).
      if (client.issuer === undefined && this.#client === client) {
        this.#client = { ...client, issuer: grant.issuer }
        await this.#clients.write(id, this.#client)
      }
      return grant
    }
  }

  #publish(): void {
    const signIn = shown(this.#current?.authorization.state)
    const client = this.#current && this.isUnattended(this.#current.url) ? this.#client : undefined
    const shownAs = client && { signsInAs: shownClient(client) }
    this.#parts.onView({ ...(signIn && { signIn }), ...shownAs, credentials: this.#credentials() })
  }

  #credentials(): readonly StoredCredential[] {
    return this.#store.grants.map(({ issuer, serverUrl, client, tokens }) => ({
      issuer,
      serverUrl,
      client: client.how,
      ...(tokens && {
        signedIn: {
          at: tokens.at,
          scopes: tokens.scopes.slice(0, SCOPES_SHOWN),
          ...(tokens.expiresAt !== undefined && { expiresAt: tokens.expiresAt }),
          renews: tokens.refreshToken !== undefined || this.isUnattended(serverUrl),
        },
      }),
    }))
  }

  /** The person, if they clicked or if their call or read waits. Background work asks nobody. */
  #person(): Person | undefined {
    const { id, name, inFlight } = this.#parts
    const calls = inFlight.of(id)
    const call = calls.find(({ origin }) => origin) ?? calls[0]
    const [wait] = this.#waits
    if (!this.#clicked && !call && !wait) return undefined
    const { conversationId, toolCallId } = call?.origin ?? {}
    const cause = call && !call.is ? causeOf(call) : (wait?.why ?? 'The server requires sign-in.')
    const about = {
      serverId: id,
      serverName: name,
      cause,
      origin: call?.origin ? ('model' as const) : ('user' as const),
      ...defined({ conversationId, toolCallId }),
    }
    return authorizationPerson(about, this.#parts, (text) => this.#remark(text))
  }

  #remark(said: unknown): void {
    this.#parts.log.add('host', said instanceof Error ? said.message : String(said))
  }
}

function shown(state: AuthorizationState | undefined): ServerSignIn | undefined {
  switch (state?.is) {
    case 'under-way': {
      const { request, waitingSince: since, foreign = false } = state.step ?? {}
      if (!request || since === undefined) return { is: 'asking', ...(request && { host: request.host }) }
      return { is: 'waiting', since, host: request.host, url: request.url, foreign }
    }
    case 'needed': {
      const { reason, problem } = state
      const told = problem && problem.code !== 'required' && { code: `sign-in-${problem.code}`, what: problem.message }
      return { is: 'needed', reason, ...(told && { problem: told }) }
    }
    case 'authorized': {
      const { issuer, tokens } = state.grant
      const host = URL.parse(issuer)?.host ?? issuer
      return { is: 'signed-in', host, scopes: tokens.scopes.slice(0, SCOPES_SHOWN), since: tokens.at }
    }
    default:
      return undefined
  }
}

/** True if a server could ask for authorization: its headers do not authenticate already. */
export function mayAuthorize(headers: Readonly<Record<string, unknown>>): boolean {
  return !Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
