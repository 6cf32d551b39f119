import * as oauth from 'oauth4webapi'
import type { AuthHttp } from '../../src-main/auth/auth-http.ts'
import type { BearerChallenge } from '../../src-main/auth/challenge.ts'
import { discover } from '../../src-main/auth/discovery.ts'
import type { TokenGrant } from '../../src-main/auth/grants.ts'
import { canonicalResource } from '../../src-main/auth/resource-uri.ts'
import { systemClock } from '../../src-shared/base/clock.ts'

/** A place at which somebody is signed in already, for everything that their enterprise uses. */
export interface Enterprise {
  readonly clientId: string
  readonly idToken: string
  readonly issuer: string
  readonly tokenEndpoint: string
}

const TOKEN = 'urn:ietf:params:oauth:token-type:'
const GRANT = 'urn:ietf:params:oauth:grant-type:'

/** The sign-in at the enterprise, exchanged for an assertion (RFC 8693), and that for a token of the server (RFC 7523). */
export async function enterpriseGrant(
  serverUrl: string,
  challenge: BearerChallenge,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
  enterprise: Enterprise,
  http: AuthHttp,
  signal: AbortSignal,
): Promise<TokenGrant> {
  const { server, resource } = await discover({ serverUrl, challenge, http, signal })
  const how = { signal, [oauth.customFetch]: http.fetch, [oauth.allowInsecureRequests]: true }
  const provider: oauth.AuthorizationServer = { issuer: enterprise.issuer, token_endpoint: enterprise.tokenEndpoint }
  const atProvider: oauth.Client = { client_id: enterprise.clientId }
  const exchange = new URLSearchParams({
    subject_token: enterprise.idToken,
    subject_token_type: `${TOKEN}id_token`,
    requested_token_type: `${TOKEN}id-jag`,
    audience: server.issuer,
    resource: resource ?? serverUrl,
  })
  const exchanged = await oauth.genericTokenEndpointRequest(
    provider,
    atProvider,
    oauth.None(),
    `${GRANT}token-exchange`,
    exchange,
    how,
  )
  // The exchanged token is no access token, and its type is “N_A”.
  const options = { recognizedTokenTypes: { n_a: () => {} } }
  const { access_token: assertion } = await oauth.processGenericTokenEndpointResponse(provider, atProvider, exchanged, options)
  const client: oauth.Client = { client_id: clientId }
  const granted = await oauth.genericTokenEndpointRequest(
    server,
    client,
    oauth.ClientSecretBasic(clientSecret),
    `${GRANT}jwt-bearer`,
    new URLSearchParams({ assertion }),
    how,
  )
  const { access_token: accessToken } = await oauth.processGenericTokenEndpointResponse(server, client, granted)
  return {
    issuer: server.issuer,
    resource: resource ?? '',
    serverUrl: canonicalResource(serverUrl),
    server,
    client: { clientId, clientSecret, how: 'configured' },
    tokens: { accessToken, scopes: [], at: systemClock.now() },
  }
}
