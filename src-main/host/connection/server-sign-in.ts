import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { PausableClock } from '../../../src-shared/base/pausable-clock.ts'
import type { ServerSignIn as SignInView, StoredCredential } from '../../../src-shared/contract/authorization.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { AuthHttp } from '../../auth/auth-http.ts'
import { Authorization, type Standing } from '../../auth/authorization.ts'
import { AuthorizationError } from '../../auth/authorization-error.ts'
import { authorizedFetch } from '../../auth/authorized-fetch.ts'
import type { Person, TakeAddress } from '../../auth/person.ts'
import { Reachable } from '../../auth/reachable.ts'
import { TokenStore } from '../../auth/token-store.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import type { SecretStore } from '../../storage/base/storage.ts'
import type { Connector } from '../../transports/connector.ts'
import type { HttpFetch } from '../../transports/http-fetch.ts'
import { cut } from '../core/content-views.ts'
import type { Interactions } from '../core/interactions.ts'
import type { Platform } from '../core/platform.ts'
import type { CallsInFlight } from './calls-in-flight.ts'
import type { ServerLog } from './server-log.ts'
import { signInPerson } from './sign-in-person.ts'
import type { TrafficLog } from './traffic-log.ts'

export interface ServerSignInParts {
  readonly id: ServerId
  readonly name: string
  readonly clock: Clock
  readonly lifetime: Lifetime
  readonly secrets: SecretStore
  readonly connector: Connector
  readonly interactions: Interactions
  readonly platform: Pick<Platform, 'shell' | 'openExternal'>
  readonly log: ServerLog
  readonly traffic: TrafficLog
  readonly calls?: CallsInFlight
  /** Where the document that describes this app lies, if anywhere. */
  readonly metadataUrl?: string
  /** Its part of the server's record is another now. */
  readonly onView: (view: { readonly signIn?: SignInView; readonly credentials?: readonly StoredCredential[] }) => void
}

const SCOPES_SHOWN = 100

/** The sign-in to one remote server: who may be asked when, what windows see of it, and the requests that carry its token. */
export class ServerSignIn {
  /** The time of requests to this server: it stands still while a person signs in. */
  readonly patience: PausableClock
  readonly #parts: ServerSignInParts
  readonly #store: TokenStore
  #authorization: { readonly url: string; readonly is: Authorization } | undefined
  #release: (() => void) | undefined
  /** A person wants it: they may be asked until it runs or has failed. */
  #clicked = false
  /** Why a person waits for an answer of this server that is no tool call, the oldest first. */
  readonly #waits = new Set<{ readonly why: string }>()
  #waiting: Extract<SignInView, { is: 'waiting' }> | undefined
  #askedHost: string | undefined
  #take: TakeAddress | undefined
  #secrets: readonly string[] = []
  #onSecrets: (secrets: readonly string[]) => void = () => {}

  constructor(parts: ServerSignInParts) {
    this.#parts = parts
    this.patience = new PausableClock(parts.clock)
    this.#store = new TokenStore({
      secrets: parts.secrets,
      owner: parts.id,
      onSecrets: (secrets) => {
        this.#secrets = secrets
        this.#onSecrets(secrets)
      },
      onTrouble: (error) => parts.log.add('host', error instanceof Error ? error.message : String(error)),
    })
  }

  /** Whoever keeps texts of this server hears what must not be in them, now and whenever there is more. */
  tellSecrets(listen: (secrets: readonly string[]) => void): void {
    this.#onSecrets = listen
    listen(this.#secrets)
  }

  /** What a person gave to this server is kept from its texts as its tokens are. */
  protect(secrets: readonly string[]): void {
    this.#store.protect(secrets)
  }

  /** Shows what is kept for a server at this address. */
  async show(url: string): Promise<void> {
    await this.#for(url).load()
    this.#publish()
  }

  /** From here to `settled` the person may be asked: they started the server, or allowed it to be started. */
  clicked(): void {
    this.#clicked = true
  }

  /** It runs, or does not: what comes next is nobody's click. */
  settled(): void {
    this.#clicked = false
  }

  /** Until the function that it returns is called, a person waits for something of this server, and may be asked for its sake. */
  awaited(why: string): () => void {
    const wait = { why }
    this.#waits.add(wait)
    return () => void this.#waits.delete(wait)
  }

  /** Requests to a server at this address, with its token; the sign-in's failures come as TransportErrors. */
  fetchFor(url: string): HttpFetch {
    const fetch = authorizedFetch(this.#parts.connector.request, this.#for(url))
    return async (request) => {
      try {
        return await fetch(request)
      } catch (error) {
        if (!(error instanceof AuthorizationError)) throw error
        const code = error.code === 'unreachable' ? 'unreachable' : 'unauthorized'
        throw new TransportError(code, error.message, {}, { cause: error })
      }
    }
  }

  /** A person wants to sign in although nothing waits for it. Resolves when it has begun; the rest is seen in the record. */
  authorize(url: string): void {
    this.#clicked = true
    this.#for(url)
      .signIn({}, undefined, this.#parts.lifetime.signal)
      .catch((error: unknown) => this.#parts.log.add('host', error instanceof Error ? error.message : String(error)))
      .finally(() => this.settled())
  }

  cancel(): void {
    this.#authorization?.is.cancel()
  }

  /** Throws HostError `invalid-params` with what is wrong with the address. */
  paste(address: string): void {
    if (!this.#take) throw new HostError('unavailable', 'No sign-in to this server is under way.')
    const wrong = this.#take(address)
    if (wrong !== undefined) throw new HostError('invalid-params', wrong)
  }

  async forget(everything: boolean): Promise<void> {
    if (this.#authorization) await this.#authorization.is.signOut(everything)
    else {
      await this.#store.load()
      if (everything) await this.#store.clear()
    }
    this.#publish()
  }

  #for(url: string): Authorization {
    if (this.#authorization?.url === url) return this.#authorization.is
    this.#authorization?.is.cancel()
    const { connector, clock, traffic, lifetime, metadataUrl } = this.#parts
    const onExchange = (text: string) => traffic.tap({ direction: 'http', text })
    const is: Authorization = new Authorization({
      serverUrl: url,
      store: this.#store,
      http: new AuthHttp({ fetch: connector.request, reachable: new Reachable(url), clock, onExchange }),
      clock,
      person: () => this.#person(),
      onChange: (standing) => {
        if (this.#authorization?.is === is) this.#changed(standing)
      },
      onFlow: (running) => {
        this.#release?.()
        this.#release = running ? this.patience.hold() : undefined
      },
      signal: lifetime.signal,
      ...(metadataUrl !== undefined && { metadataUrl }),
    })
    this.#authorization = { url, is }
    return is
  }

  #changed(standing: Standing): void {
    if (standing.is !== 'signing-in') {
      this.#waiting = undefined
      this.#askedHost = undefined
      this.#take = undefined
    }
    this.#publish()
  }

  #publish(): void {
    const signIn = this.#view()
    this.#parts.onView({ ...(signIn && { signIn }), credentials: this.#credentials() })
  }

  #view(): SignInView | undefined {
    const standing = this.#authorization?.is.standing
    switch (standing?.is) {
      case 'signing-in':
        return this.#waiting ?? { is: 'asking', ...(this.#askedHost !== undefined && { host: this.#askedHost }) }
      case 'needed': {
        const { reason, problem } = standing
        const shown = problem && problem.code !== 'required' && { code: `sign-in-${problem.code}`, what: problem.message }
        return { is: 'needed', reason, ...(shown && { problem: shown }) }
      }
      case 'signed-in': {
        const { issuer, tokens } = standing.grant
        return { is: 'signed-in', host: hostOf(issuer), scopes: tokens.scopes.slice(0, SCOPES_SHOWN), since: tokens.at }
      }
      default:
        return undefined
    }
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
          renews: tokens.refreshToken !== undefined,
        },
      }),
    }))
  }

  /** Who may be asked now: whoever clicked, or whose call or reading waits. Background work asks nobody. */
  #person(): Person | undefined {
    const { id, name, calls, interactions, platform, clock, log } = this.#parts
    const call = calls?.of(id).find(({ origin }) => origin) ?? calls?.of(id)[0]
    const [wait] = this.#waits
    if (!this.#clicked && !call && !wait) return undefined
    const { conversationId, toolCallId, title } = call?.origin ?? {}
    const why = call
      ? `Because of the call to “${cut(call.tool, 80)}”${title === undefined ? ' that you made by hand' : ` in “${cut(title || 'a new conversation', 80)}”`}.`
      : (wait?.why ?? 'You want to use it, and it lets in only those who are signed in.')
    return signInPerson({
      about: {
        serverId: id,
        serverName: name,
        origin: call?.origin ? 'model' : 'user',
        cause: why,
        ...(conversationId && { conversationId }),
        ...(toolCallId && { toolCallId }),
      },
      interactions,
      platform,
      clock,
      remark: (text) => log.add('host', text),
      onAsk: (host, take) => {
        this.#askedHost = host
        this.#take = take
        this.#publish()
      },
      onWait: (host, url, since) => {
        this.#waiting = { is: 'waiting', since, host, url, foreign: false }
        this.#publish()
      },
      onForeign: () => {
        if (!this.#waiting || this.#waiting.foreign) return
        this.#waiting = { ...this.#waiting, foreign: true }
        this.#publish()
      },
    })
  }
}

/** Whether a server at this address could have a sign-in: its headers do not say who asks. */
export function maySignIn(headers: Readonly<Record<string, unknown>>): boolean {
  return !Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}

const hostOf = (issuer: string): string => URL.parse(issuer)?.host ?? issuer
