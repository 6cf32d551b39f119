/** Why authorization is asked for. */
export type AuthorizationReason = 'first' | 'expired' | 'more-scopes'

export interface AuthorizationRequest {
  /** Where the person would sign in: the host of the page, which is not always the issuer's. */
  readonly host: string
  readonly issuer: string
  /** The host of the token endpoint, which receives the answer. */
  readonly tokenHost: string
  /** The scopes that would be granted; empty when the authorization server decides. */
  readonly scopes: readonly string[]
  readonly reason: AuthorizationReason
  /** The page to sign in at. Holds nothing that could be used without the verifier. */
  readonly url: string
  readonly redirectUri: string
}

/** Which app is it that signs in there? */
export interface ClientQuestion {
  /** The authorization server that an id was entered for before: it is not for this one. */
  readonly former?: string
  /** The only authorization server that the answer is for. */
  readonly issuer: string
  /** The host that receives the secret. */
  readonly tokenHost: string
  /** The redirect URI to register there. */
  readonly redirectUri: string
}

/** A client that a person registered. */
export interface TypedClient {
  readonly clientId: string
  readonly clientSecret?: string
}

/** Takes the address at which a browser ended; returns what is wrong with it, in words for the person. */
export type TakeAddress = (address: string) => string | undefined

/** How far the way by way of a person has come. */
export interface AuthorizationStep {
  readonly request: AuthorizationRequest
  /** Takes the redirect URL from the person who has it. */
  readonly paste: TakeAddress
  /** When their browser began to be waited for; absent while they are asked. */
  readonly waitingSince?: number
  /** Answers came meanwhile that belong to another request, and were ignored. */
  readonly foreign: boolean
}

/** The person in front of the host. Each method rejects when `signal` aborts, and its dialog is gone then. */
export interface Person {
  /** Asks before the sign-in page is opened. When it resolves true, the page has been opened. */
  confirm(request: AuthorizationRequest, take: TakeAddress, signal: AbortSignal): Promise<boolean>
  /** Shows that their browser is waited for; resolves when they give up. */
  wait(request: AuthorizationRequest, take: TakeAddress, signal: AbortSignal): Promise<void>
  /** An id that they registered with this authorization server; undefined when they have none. */
  clientFor(question: ClientQuestion, signal: AbortSignal): Promise<TypedClient | undefined>
}
