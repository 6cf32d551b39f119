import { z } from 'zod'
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../base/signing-algorithms.ts'
import type { Problem } from './errors.ts'
import { decline, type Given, text } from './schema-parts.ts'

type SignInReason = 'first' | 'expired' | 'more-scopes'

/** Asks before the browser opens the sign-in page, then shows the progress. Never holds a token, a code or a secret. */
export interface AuthorizationQuestion {
  /** `waiting` follows a `continue`: the page was opened, or should be. */
  readonly step: 'ask' | 'waiting'
  readonly reason: SignInReason
  /** The host of the sign-in page. */
  readonly host: string
  /** The issuer; often the same host. */
  readonly issuer: string
  /** The host that receives the code; often the same. */
  readonly tokenHost: string
  /** The requested scopes; empty when the authorization server decides. */
  readonly scopes: readonly string[]
  /** The sign-in page, to open or copy. */
  readonly url: string
  /** The address that the browser returns to; a pasted address begins with it. */
  readonly redirectUri: string
  /** `host` opens the system's browser. `page` opens a link in the window, since the host may run on another computer. */
  readonly opens: 'host' | 'page'
}

/** The address of a browser that could not reach the redirect URI itself. */
export const redirectAddress = () => text(16 * 1024)

export type AuthorizationAnswer = Given<typeof authorizationAnswer>
export const authorizationAnswer = () =>
  z.discriminatedUnion('decision', [
    z.strictObject({ decision: z.literal('continue') }),
    z.strictObject({ decision: z.literal('paste'), address: redirectAddress() }),
    z.strictObject({ decision: z.literal('cancel') }),
  ])

/** The authorization server does not register apps automatically: has the person registered one? */
export interface ClientRegistrationQuestion {
  /** The authorization server that an earlier id was entered for. */
  readonly former?: string
  readonly host: string
  /** The authorization server that the id and the secret are for, and no other. */
  readonly issuer: string
  /** The host that receives the secret; often the same. */
  readonly tokenHost: string
  /** The redirect URI to register there. */
  readonly redirectUri: string
}

export const clientRegistrationAnswer = () =>
  z.discriminatedUnion('decision', [
    z.strictObject({ decision: z.literal('register'), clientId: text(2048), clientSecret: text(4096).exactOptional() }),
    decline(),
  ])

export type ServerSignIn =
  | { readonly is: 'needed'; readonly reason: SignInReason; readonly problem?: Problem }
  /** Looking for the sign-in page; a question may be open. */
  | { readonly is: 'asking'; readonly host?: string }
  | {
      readonly is: 'waiting'
      readonly since: number
      readonly host: string
      readonly url: string
      /** Responses that belong to no sign-in of this app came and were ignored. */
      readonly foreign: boolean
    }
  | { readonly is: 'signed-in'; readonly host: string; readonly scopes: readonly string[]; readonly since: number }

/** Describes what the secret store holds for a server, without the secret. */
export interface StoredCredential {
  /** The authorization server. */
  readonly issuer: string
  /** The only address that tokens are sent to. */
  readonly serverUrl: string
  /** The source of this app's client id. */
  readonly client: 'configured' | 'metadata-document' | 'dynamic' | 'typed'
  /** Absent when only the app's registration is kept. */
  readonly signedIn?: {
    readonly at: number
    readonly scopes: readonly string[]
    readonly expiresAt?: number
    /** It has a refresh token. */
    readonly renews: boolean
  }
}

/** Characters of a private key as PEM. */
export const MAX_KEY_LENGTH = 16 * 1024

/** Sign-in by a person in the browser, or by a client registered beforehand. */
export type SignInConfig = Given<typeof signInConfig>
export const signInConfig = () => {
  const algorithm = () => z.enum(SIGNING_ALGORITHMS).exactOptional()
  return z.discriminatedUnion('by', [
    z.strictObject({ by: z.literal('browser') }),
    z.strictObject({
      by: z.literal('client'),
      clientId: text(2048),
      /** Secrets only travel to the host; `kept` means the saved one. A key is PEM. */
      proof: z.union([
        z.strictObject({ secret: text(4096) }),
        z.strictObject({ key: text(MAX_KEY_LENGTH), algorithm: algorithm() }),
        z.strictObject({ kept: z.enum(['secret', 'key']), algorithm: algorithm() }),
      ]),
      /** Requested instead of those that the server names. */
      scopes: z.array(text(300)).max(100),
      /** The only authorization server to use; by default the first one that the server names. */
      issuer: text(2048).exactOptional(),
    }),
  ])
}

/** A `SignInConfig` by client, without its secret. */
export interface SignInClient {
  readonly clientId: string
  readonly proof: 'secret' | 'key'
  readonly algorithm?: SigningAlgorithm
  readonly scopes: readonly string[]
  readonly issuer?: string
}
