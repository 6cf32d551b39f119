import type { AuthorizationServer } from 'oauth4webapi'
import { z } from 'zod'

const text = z.string().max(16 * 1024)

/** Who we are to an authorization server. */
const CLIENT = z.object({
  clientId: text,
  clientSecret: text.exactOptional(),
  /** `none`, `client_secret_basic`, `client_secret_post`; by what the server offers when absent. */
  authMethod: text.exactOptional(),
  how: z.enum(['configured', 'metadata-document', 'dynamic', 'typed']),
  /** The one that was registered; absent when any will do. */
  redirectUri: text.exactOptional(),
  /** Milliseconds since the epoch. */
  secretEndsAt: z.number().exactOptional(),
})
export type ClientIdentity = z.infer<typeof CLIENT>

const TOKENS = z.object({
  accessToken: text,
  refreshToken: text.exactOptional(),
  scopes: z.array(text),
  at: z.number(),
  /** Milliseconds since the epoch; absent when the server did not say. */
  expiresAt: z.number().exactOptional(),
})
export type Tokens = z.infer<typeof TOKENS>

/** What an authorization server gave us for one resource. Its key is issuer and resource together (AUTH-25, TRAP-44). */
const GRANT = z.object({
  issuer: text,
  /** As it is sent; empty by the rules of 2025-03-26. */
  resource: z.string().max(16 * 1024),
  /** The only server that these tokens are for. */
  serverUrl: text,
  /** What is needed of the authorization server later on: its addresses and ways. */
  server: z.custom<AuthorizationServer>(
    (value) => z.looseObject({ issuer: text, token_endpoint: text }).safeParse(value).success,
  ),
  client: CLIENT,
  tokens: TOKENS.exactOptional(),
})
export type Grant = z.infer<typeof GRANT>

export const GRANTS = z.object({ version: z.literal(1), grants: z.array(GRANT).max(50) })

/** Everything of a grant that must never be shown. */
export function secretsOf({ client, tokens }: Grant): readonly string[] {
  return [tokens?.accessToken, tokens?.refreshToken, client.clientSecret].filter((secret) => secret !== undefined)
}

export const sameGrant = (
  a: Pick<Grant, 'issuer' | 'resource' | 'serverUrl'>,
  b: Pick<Grant, 'issuer' | 'resource' | 'serverUrl'>,
) => a.issuer === b.issuer && a.resource === b.resource && a.serverUrl === b.serverUrl
