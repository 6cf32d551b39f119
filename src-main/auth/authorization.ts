import { Emitter } from '../../src-shared/base/emitter.ts'
import { orAborted } from '../../src-shared/base/or-aborted.ts'
import { AuthorizationError } from './authorization-error.ts'
import { authorize } from './authorization-flow.ts'
import type { BearerChallenge } from './challenge.ts'
import type { FlowContext } from './flow-context.ts'
import type { TokenGrant, Tokens } from './grants.ts'
import type { AuthorizationReason, AuthorizationStep, Person } from './person.ts'
import { canonicalResource } from './resource-uri.ts'
import { GrantOver, refreshTokens, revoke } from './token-endpoint.ts'
import type { TokenStore } from './token-store.ts'

export interface AuthorizationParts extends FlowContext {
  readonly store: TokenStore
  /** Undefined in background work, which must not ask or open a browser. */
  readonly person: () => Person | undefined
  /** Obtains a grant without a person, for a client with its own credentials. */
  readonly unattended?: () => Unattended | undefined
  readonly onChange?: (state: AuthorizationState) => void
  /** Called when a flow begins or ends; deadlines of requests pause in between. */
  readonly onFlow?: (running: boolean) => void
}

export type Unattended = (challenge: BearerChallenge, before: TokenGrant | undefined, signal: AbortSignal) => Promise<TokenGrant>

export type AuthorizationState =
  /** The server has not required it so far. */
  | { readonly is: 'none' }
  | { readonly is: 'needed'; readonly reason: AuthorizationReason; readonly problem?: AuthorizationError }
  /** A flow is running; `step` once a person is asked. */
  | { readonly is: 'under-way'; readonly reason: AuthorizationReason; readonly step?: AuthorizationStep }
  | { readonly is: 'authorized'; readonly grant: TokenGrant & { readonly tokens: Tokens } }

interface Flow {
  readonly promise: Promise<void>
  readonly controller: AbortController
  waiting: number
}

/** The most requests for the same scopes; then a refusal is final until the person signs out (V26-AUTH-12). */
const MAX_STEP_UPS = 2
const MAX_COUNTED = 100
const scopeKey = (scopes: readonly string[]) => scopes.toSorted().join(' ')

/** Tokens are renewed this long before they expire, or after three quarters of a short life. */
const AHEAD_MS = 30_000

/** The authorization for one server: its token, the renewal, and the flow with a person. */
export class Authorization {
  readonly #parts: AuthorizationParts
  readonly #serverUrl: string
  #state: AuthorizationState = { is: 'none' }
  readonly #changed = new Emitter<void>()
  #flow: Flow | undefined
  #renewing: Promise<void> | undefined
  /** Additional scopes → how often they were requested. */
  readonly #stepUps = new Map<string, number>()

  constructor(parts: AuthorizationParts) {
    this.#parts = parts
    this.#serverUrl = canonicalResource(parts.serverUrl)
  }

  get state(): AuthorizationState {
    return this.#state
  }

  get origin(): string {
    return new URL(this.#serverUrl).origin
  }

  async load(): Promise<void> {
    await this.#parts.store.load()
    if (this.#state.is === 'none') this.#settle()
  }

  /** The token to send, renewed before it expires; undefined without one. Rejects when it has expired and cannot be renewed now. */
  async token(signal: AbortSignal): Promise<string | undefined> {
    await this.load()
    const tokens = this.#tokens
    if (tokens && this.#renewable && dueAt(tokens) <= this.#parts.clock.now()) {
      try {
        await this.#renew(signal)
      } catch (error) {
        signal.throwIfAborted()
        // The old token may still be valid; if it is not, the server will refuse it.
        if (isTemporary(error) && (tokens.expiresAt ?? 0) <= this.#parts.clock.now()) throw error
      }
    }
    return this.#tokens?.accessToken
  }

  /** Gets another token than `used`, which the server refused. False when only a person can help. */
  async renewed(used: string | undefined, signal: AbortSignal): Promise<boolean> {
    const now = this.#tokens?.accessToken
    if (now !== undefined && now !== used) return true
    if (!this.#renewable) return false
    try {
      await this.#renew(signal)
      return true
    } catch (error) {
      if (isTemporary(error)) throw error
      return false
    }
  }

  /** Resolves when the token differs from `used`. */
  async authorizedAgain(used: string | undefined, signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = this.#tokens?.accessToken
      if (now !== undefined && now !== used) return
      await this.#change(signal)
    }
  }

  /** Resolves to true after the next sign-in; to false at once when none is needed. */
  async signedIn(signal: AbortSignal): Promise<boolean> {
    if (this.#state.is !== 'needed' && this.#state.is !== 'under-way') return false
    while (this.state.is !== 'authorized') await this.#change(signal)
    return true
  }

  async #change(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    await orAborted(promise, signal).finally(this.#changed.on(resolve))
  }

  /** True if some of these scopes are missing and not yet requested in vain. */
  lacks(scopes: readonly string[]): boolean {
    const granted = this.#tokens?.scopes ?? []
    return scopes.some((scope) => !granted.includes(scope)) && (this.#stepUps.get(scopeKey(scopes)) ?? 0) < MAX_STEP_UPS
  }

  get isRunning(): boolean {
    return this.#flow !== undefined
  }

  /**
   * Obtains a grant, or joins the running flow, which is cancelled when its last caller leaves. Rejects with AuthorizationError
   * (`required` when no person may be asked now), or the signal's reason.
   */
  async authorize(challenge: BearerChallenge, reason: AuthorizationReason | undefined, signal: AbortSignal): Promise<void> {
    await this.load()
    signal.throwIfAborted()
    // After a sign-out no sign-in can have expired.
    const signedOut = this.#state.is === 'needed' && this.#state.reason === 'first'
    const why = reason ?? (this.#grant && !signedOut ? 'expired' : 'first')
    if (!this.#flow) {
      const obtain = this.#obtainer(challenge, why)
      if (!obtain) {
        if (why !== 'more-scopes') this.#enter({ is: 'needed', reason: why })
        throw new AuthorizationError('required', why === 'expired' ? 'Your sign-in has expired.' : 'You are not signed in.')
      }
      if (why === 'more-scopes') this.#countStepUp(challenge.scopes ?? [])
      this.#flow = this.#begin(why, obtain)
    }
    const flow = this.#flow
    flow.waiting += 1
    try {
      await orAborted(flow.promise, signal)
    } finally {
      flow.waiting -= 1
      if (flow.waiting === 0) flow.controller.abort(new AuthorizationError('denied', 'Sign-in was cancelled.'))
    }
  }

  cancel(): void {
    this.#flow?.controller.abort(new AuthorizationError('denied', 'The sign-in was cancelled.'))
  }

  /** Called when the server refuses a new token. */
  refused(): void {
    const problem = new AuthorizationError('refused', 'The server does not accept the new sign-in.')
    this.#enter({ is: 'needed', reason: 'expired', problem })
  }

  /** Forgets the tokens and revokes them where possible. Our client is kept unless `everything`. */
  async forget(everything: boolean): Promise<void> {
    this.cancel()
    await this.load()
    const { store, http, clock, signal } = this.#parts
    const grant = this.#grant
    const tokens = grant?.tokens
    this.#stepUps.clear()
    if (everything) await store.clear()
    // The next sign-in begins without the scopes that were added one by one.
    else if (grant) await store.setTokens({ ...grant, asked: [] }, undefined)
    this.#enter(grant ? { is: 'needed', reason: 'first' } : { is: 'none' })
    if (grant && tokens) await revoke({ server: grant.server, client: grant.client, http, clock, signal }, tokens)
  }

  get #grant(): TokenGrant | undefined {
    return this.#parts.store.grantFor(this.#serverUrl)
  }

  get #tokens(): Tokens | undefined {
    return this.#grant?.tokens
  }

  /** True if a renewal needs no person: by a refresh token, or by client credentials. */
  get #renewable(): boolean {
    const tokens = this.#tokens
    return tokens?.refreshToken !== undefined || (tokens !== undefined && this.#parts.unattended?.() !== undefined)
  }

  #countStepUp(scopes: readonly string[]): void {
    if (this.#stepUps.size >= MAX_COUNTED) this.#stepUps.clear()
    this.#stepUps.set(scopeKey(scopes), (this.#stepUps.get(scopeKey(scopes)) ?? 0) + 1)
  }

  #obtainer(challenge: BearerChallenge, reason: AuthorizationReason): ((signal: AbortSignal) => Promise<TokenGrant>) | undefined {
    const unattended = this.#parts.unattended?.()
    if (unattended) return (signal) => unattended(challenge, this.#grant, signal)
    const person = this.#parts.person()
    return person && ((signal) => this.#obtain(challenge, reason, person, signal))
  }

  #begin(reason: AuthorizationReason, obtain: (signal: AbortSignal) => Promise<TokenGrant>): Flow {
    const controller = new AbortController()
    const signal = AbortSignal.any([controller.signal, this.#parts.signal])
    const before = this.#state
    this.#enter({ is: 'under-way', reason })
    this.#parts.onFlow?.(true)
    const promise = obtain(signal)
      .then(async (grant) => {
        signal.throwIfAborted()
        await this.#parts.store.put(grant)
      })
      .then(
        () => this.#settle(),
        (error: unknown) => {
          const problem = signal.aborted ? signal.reason : error
          // More scopes were refused: the earlier grant stays.
          if (reason === 'more-scopes' && before.is === 'authorized') this.#enter(before)
          else this.#enter({ is: 'needed', reason, ...(problem instanceof AuthorizationError && { problem }) })
          throw problem
        },
      )
      .finally(() => {
        this.#flow = undefined
        this.#parts.onFlow?.(false)
      })
    promise.catch(() => {}) // Every caller gets the error.
    return { promise, controller, waiting: 0 }
  }

  async #obtain(
    challenge: BearerChallenge,
    reason: AuthorizationReason,
    person: Person,
    signal: AbortSignal,
  ): Promise<TokenGrant> {
    const { store } = this.#parts
    const before = this.#grant
    try {
      return await authorize({
        ...this.#parts,
        challenge,
        reason,
        person,
        signal,
        protect: (secrets) => store.protect(secrets),
        onStep: (step) => this.#enter({ is: 'under-way', reason, step }),
        ...(before && { before }),
      })
    } catch (error) {
      // An unknown client is registered again by the next attempt.
      if (error instanceof GrantOver && error.clientToo && before) await store.clear()
      throw error
    }
  }

  /** All callers share one renewal (AUTH-58). */
  #renew(signal: AbortSignal): Promise<void> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined
    })
    this.#renewing.catch(() => {}) // Every caller gets the error.
    return orAborted(this.#renewing, signal)
  }

  async #renewOnce(): Promise<void> {
    const { store, http, clock, signal } = this.#parts
    const grant = this.#grant
    if (!grant?.tokens) throw new GrantOver(false)
    const { server, client, resource, tokens } = grant
    const unattended = this.#parts.unattended?.()
    if (unattended) {
      await store.put(await unattended({}, grant, signal))
      this.#settle()
      return
    }
    try {
      const renewed = await refreshTokens({ server, client, http, clock, signal, ...(resource !== '' && { resource }) }, tokens)
      await store.setTokens(grant, renewed)
      this.#settle()
    } catch (error) {
      if (error instanceof GrantOver) {
        if (error.clientToo) await store.clear()
        else await store.setTokens(grant, undefined)
        this.#enter({ is: 'needed', reason: 'expired', problem: error })
      }
      throw error
    }
  }

  #settle(): void {
    const grant = this.#grant
    if (grant?.tokens) this.#enter({ is: 'authorized', grant: { ...grant, tokens: grant.tokens } })
    else if (grant && this.#state.is === 'none') this.#enter({ is: 'needed', reason: 'expired' })
  }

  #enter(state: AuthorizationState): void {
    this.#state = state
    this.#parts.onChange?.(state)
    this.#changed.fire()
  }
}

/** True if a later attempt may succeed without a person. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof AuthorizationError) || error.code === 'unreachable'
}

function dueAt({ at, expiresAt }: Tokens): number {
  if (expiresAt === undefined) return Number.POSITIVE_INFINITY
  return expiresAt - Math.min(AHEAD_MS, (expiresAt - at) / 4)
}
