import * as oauth from 'oauth4webapi'
import { AuthHttp } from '../../src-main/auth/auth-http.ts'
import { Authorization } from '../../src-main/auth/authorization.ts'
import { authorizedFetch } from '../../src-main/auth/authorized-fetch.ts'
import type { BearerChallenge } from '../../src-main/auth/challenge.ts'
import { discover } from '../../src-main/auth/discovery.ts'
import type { Grant } from '../../src-main/auth/grants.ts'
import type { TypedClient } from '../../src-main/auth/person.ts'
import { Reachable } from '../../src-main/auth/reachable.ts'
import { canonicalResource } from '../../src-main/auth/resource-uri.ts'
import { TokenStore } from '../../src-main/auth/token-store.ts'
import type { HttpFetch } from '../../src-main/transports/http/http-fetch.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { MemoryBox, WillingPerson } from '../support/willing-person.ts'
import { type Enterprise, enterpriseGrant } from './enterprise-grant.ts'

/** What the runner tells a client about the scenario. */
export interface Context {
  readonly client_id?: string
  readonly client_secret?: string
  readonly private_key_pem?: string
  readonly signing_algorithm?: string
  readonly idp_client_id?: string
  readonly idp_id_token?: string
  readonly idp_issuer?: string
  readonly idp_token_endpoint?: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[]
}

const METADATA_URL = 'https://conformance-test.local/client-metadata.json'

/** Signs in as scenarios want it, with a browser that follows wherever it is sent. */
export async function signingIn(
  serverUrl: string,
  scenario: string,
  context: Context,
  signal: AbortSignal,
): Promise<(fetch: HttpFetch) => HttpFetch> {
  const { client_id: clientId, client_secret: clientSecret } = context
  const client = clientId === undefined ? undefined : { clientId, ...(clientSecret !== undefined && { clientSecret }) }
  const alone = scenario.startsWith('auth/client-credentials')
  const privateKey = context.private_key_pem === undefined ? undefined : await importKey(context.private_key_pem)
  const enterprise = enterpriseOf(context)
  const person = new WillingPerson()
  person.client = client
  // Kept over the transports of one server, whichever era each of them is of.
  const store = new TokenStore({ secrets: new MemoryBox(), owner: 'conformance' })
  return (fetch) => {
    const http = new AuthHttp({ fetch, reachable: new Reachable(serverUrl), clock: systemClock })
    const authorization = new Authorization({
      serverUrl,
      http,
      store,
      clock: systemClock,
      person: () => person,
      metadataUrl: METADATA_URL,
      signal,
      ...(enterprise &&
        client?.clientSecret !== undefined && {
          unattended: (challenge, until) => {
            const { clientId, clientSecret = '' } = client
            return enterpriseGrant(serverUrl, challenge, { clientId, clientSecret }, enterprise, http, until)
          },
        }),
      ...(client &&
        alone && { unattended: (challenge, until) => clientCredentials(serverUrl, challenge, client, privateKey, http, until) }),
    })
    return authorizedFetch(fetch, authorization)
  }
}

function enterpriseOf(context: Context): Enterprise | undefined {
  const { idp_client_id: clientId, idp_id_token: idToken, idp_issuer: issuer, idp_token_endpoint: tokenEndpoint } = context
  if (clientId === undefined || idToken === undefined || issuer === undefined || tokenEndpoint === undefined) return undefined
  return { clientId, idToken, issuer, tokenEndpoint }
}

/** The grant of a client that acts for itself (RFC 6749, 4.4): it has a secret, or signs who it is. */
async function clientCredentials(
  serverUrl: string,
  challenge: BearerChallenge,
  client: TypedClient,
  privateKey: CryptoKey | undefined,
  http: AuthHttp,
  signal: AbortSignal,
): Promise<Grant> {
  const { server, resource = '', scopesSupported = [] } = await discover({ serverUrl, challenge, http, signal })
  const scopes = challenge.scopes ?? scopesSupported
  const { clientId: client_id, clientSecret = '' } = client
  // As it is: the runner does not decode what the library would encode.
  const basic: oauth.ClientAuth = (_server, _client, _body, headers) =>
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${clientSecret}`).toString('base64')}`)
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    { client_id },
    privateKey ? oauth.PrivateKeyJwt(privateKey) : basic,
    { ...(resource !== '' && { resource }), ...(scopes.length > 0 && { scope: scopes.join(' ') }) },
    { signal, [oauth.customFetch]: http.fetch, [oauth.allowInsecureRequests]: true },
  )
  const { access_token: accessToken } = await oauth.processClientCredentialsResponse(server, { client_id }, response)
  return {
    issuer: server.issuer,
    resource,
    serverUrl: canonicalResource(serverUrl),
    server,
    client: { ...client, how: 'configured' },
    tokens: { accessToken, scopes: [...scopes], at: systemClock.now() },
  }
}

async function importKey(pem: string): Promise<CryptoKey> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  return crypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
}
