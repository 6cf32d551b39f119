import { z } from 'zod'
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../base/signing-algorithms.ts'
import type { Problem } from './errors.ts'
import { decline, type Given, text } from './schema-parts.ts'

/** Why somebody is asked to sign in. */
type SignInReason = 'first' | 'expired' | 'more-scopes'

/** May the browser be sent there; and, once it was, how it goes on. Never holds a token, a code or a secret. */
export interface AuthorizationQuestion {
  /** `waiting` follows a `continue`: the browser has the page, or was to get it. */
  readonly step: 'ask' | 'waiting'
  readonly reason: SignInReason
  /** Where the person would sign in. */
  readonly host: string
  /** The issuer; often the same host. */
  readonly issuer: string
  /** The host that receives the code; often the same. */
  readonly tokenHost: string
  /** The scopes that would be granted; empty when the authorization server decides. */
  readonly scopes: readonly string[]
  /** The page to sign in at, for a link or to be copied. */
  readonly url: string
  /** Where the browser comes back to; a pasted address begins with it. */
  readonly redirectUri: string
  /** The opener of the page: the host in the system's browser, or the window by a link of its own, since the host may be elsewhere. */
  readonly opens: 'host' | 'page'
}

/** The address at which a browser ended that could not come back by itself. */
export const redirectAddress = () => text(16 * 1024)

export type AuthorizationAnswer = Given<typeof authorizationAnswer>
export const authorizationAnswer = () =>
  z.discriminatedUnion('decision', [
    z.strictObject({ decision: z.literal('continue') }),
    z.strictObject({ decision: z.literal('paste'), address: redirectAddress() }),
    z.strictObject({ decision: z.literal('cancel') }),
  ])

/** The authorization server takes no new apps by itself: has the person registered one? */
export interface ClientRegistrationQuestion {
  /** Where the id that was entered before is for, and nowhere else. */
  readonly former?: string
  readonly host: string
  /** The authorization server in full: what is entered is for it alone. */
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

/** How the sign-in to a remote server stands. */
export type ServerSignIn =
  | { readonly is: 'needed'; readonly reason: SignInReason; readonly problem?: Problem }
  /** On the way to a page to sign in at; a question may be open. */
  | { readonly is: 'asking'; readonly host?: string }
  | {
      readonly is: 'waiting'
      readonly since: number
      readonly host: string
      readonly url: string
      /** Answers came that belong to no sign-in of ours, and were ignored. */
      readonly foreign: boolean
    }
  | { readonly is: 'signed-in'; readonly host: string; readonly scopes: readonly string[]; readonly since: number }

/** Something that is kept for a server in the secret store; never the thing itself. */
export interface StoredCredential {
  /** The authorization server that gave it. */
  readonly issuer: string
  /** The only address that it is sent to. */
  readonly serverUrl: string
  /** How this app is known there. */
  readonly client: 'configured' | 'metadata-document' | 'dynamic' | 'typed'
  /** Absent when only the app's registration is kept. */
  readonly signedIn?: {
    readonly at: number
    readonly scopes: readonly string[]
    readonly expiresAt?: number
    /** It is renewed without asking. */
    readonly renews: boolean
  }
}

/** Of a private key as PEM, in characters. */
export const MAX_KEY_LENGTH = 16 * 1024

/** How a remote server is signed in to: by a person in the browser, or by a client that was registered beforehand, as itself. */
export type SignInConfig = Given<typeof signInConfig>
export const signInConfig = () => {
  const algorithm = () => z.enum(SIGNING_ALGORITHMS).exactOptional()
  return z.discriminatedUnion('by', [
    z.strictObject({ by: z.literal('browser') }),
    z.strictObject({
      by: z.literal('client'),
      clientId: text(2048),
      /** Secrets only travel in; `kept` is the one that was saved before. A key is PEM. */
      proof: z.union([
        z.strictObject({ secret: text(4096) }),
        z.strictObject({ key: text(MAX_KEY_LENGTH), algorithm: algorithm() }),
        z.strictObject({ kept: z.enum(['secret', 'key']), algorithm: algorithm() }),
      ]),
      /** Asked for in place of what the server names. */
      scopes: z.array(text(300)).max(100),
      /** The only authorization server that it is for; the first one that the server names when absent. */
      issuer: text(2048).exactOptional(),
    }),
  ])
}

/** The client that signs in to a server by itself, as windows see it. */
export interface SignInClient {
  readonly clientId: string
  readonly proof: 'secret' | 'key'
  readonly algorithm?: SigningAlgorithm
  readonly scopes: readonly string[]
  readonly issuer?: string
}
