import type { AuthorizationServer } from 'oauth4webapi'
import { z } from 'zod'

const text = z.string().max(16 * 1024)

/** Milliseconds since the epoch, limited to the range of dates, since it is shown later. */
export const timeOf = (at: number): number => Math.min(Math.max(at, 0), 8.64e15)
const TIME = z.number().transform(timeOf)

/** Our client at an authorization server. */
const CLIENT = z.object({
  clientId: text,
  clientSecret: text.exactOptional(),
  /** `none`, `client_secret_basic` or `client_secret_post`; by the server's offer when absent. */
  authMethod: text.exactOptional(),
  how: z.enum(['configured', 'metadata-document', 'dynamic', 'typed']),
  /** The registered one; absent when any is allowed. */
  redirectUri: text.exactOptional(),
  /** Milliseconds since the epoch. */
  secretEndsAt: TIME.exactOptional(),
})
export type ClientIdentity = z.infer<typeof CLIENT>

const TOKENS = z.object({
  accessToken: text,
  refreshToken: text.exactOptional(),
  scopes: z.array(text),
  at: TIME,
  /** Milliseconds since the epoch; absent when unknown. */
  expiresAt: TIME.exactOptional(),
})
export type Tokens = z.infer<typeof TOKENS>

/** The tokens of one authorization server for one resource, identified by both (AUTH-25, TRAP-44). */
const GRANT = z.object({
  issuer: text,
  /** Empty by the rules of 2025-03-26. */
  resource: z.string().max(16 * 1024),
  serverUrl: text,
  /** The metadata that is needed later. */
  server: z.custom<AuthorizationServer>(
    (value) => z.looseObject({ issuer: text, token_endpoint: text }).safeParse(value).success,
  ),
  client: CLIENT,
  /** The requested scopes, which may be more than the granted ones. */
  asked: z.array(text).readonly().exactOptional(),
  tokens: TOKENS.exactOptional(),
})
export type TokenGrant = z.infer<typeof GRANT>

export const GRANTS = z.object({ version: z.literal(1), grants: z.array(GRANT).max(50) })

/** The parts of a grant that must never be shown. */
export function secretsOf({ client, tokens }: TokenGrant): readonly string[] {
  return [tokens?.accessToken, tokens?.refreshToken, client.clientSecret].filter((secret) => secret !== undefined)
}

export const sameGrant = (
  a: Pick<TokenGrant, 'issuer' | 'resource' | 'serverUrl'>,
  b: Pick<TokenGrant, 'issuer' | 'resource' | 'serverUrl'>,
) => a.issuer === b.issuer && a.resource === b.resource && a.serverUrl === b.serverUrl
