export type AuthorizationReason = 'first' | 'expired' | 'more-scopes'

export interface AuthorizationRequest {
  /** The host of the sign-in page, which may differ from the issuer's. */
  readonly host: string
  readonly issuer: string
  /** The host of the token endpoint, which receives the answer. */
  readonly tokenHost: string
  /** Empty when the authorization server decides. */
  readonly scopes: readonly string[]
  readonly reason: AuthorizationReason
  /** The sign-in page. Of no use without the verifier. */
  readonly url: string
  readonly redirectUri: string
}

/** Asks for a client id that the person registered. */
export interface ClientQuestion {
  /** The authorization server of an id that was entered before, which is not for this one. */
  readonly former?: string
  /** The only authorization server for the answer. */
  readonly issuer: string
  /** The host that receives the secret. */
  readonly tokenHost: string
  readonly redirectUri: string
}

export interface TypedClient {
  readonly clientId: string
  readonly clientSecret?: string
}

/** Takes the final address of a browser; returns its problem, for the person. */
export type TakeAddress = (address: string) => string | undefined

export interface AuthorizationStep {
  readonly request: AuthorizationRequest
  readonly paste: TakeAddress
  /** The time since when the browser is open; absent while the person is asked. */
  readonly waitingSince?: number
  /** True after ignored answers to other requests. */
  readonly foreign: boolean
}

/** The person at the host. Each method rejects and closes its dialog when `signal` aborts. */
export interface Person {
  /** Asks, and opens the sign-in page. True once it is open. */
  confirm(request: AuthorizationRequest, take: TakeAddress, signal: AbortSignal): Promise<boolean>
  /** Shows that Parley waits for the browser; resolves when the person cancels. */
  wait(request: AuthorizationRequest, take: TakeAddress, signal: AbortSignal): Promise<void>
  /** Undefined when the person has no id. */
  clientFor(question: ClientQuestion, signal: AbortSignal): Promise<TypedClient | undefined>
}
