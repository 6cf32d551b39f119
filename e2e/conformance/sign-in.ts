import { AuthHttp } from '../../src-main/auth/auth-http.ts'
import { Authorization } from '../../src-main/auth/authorization.ts'
import { authorizedFetch } from '../../src-main/auth/authorized-fetch.ts'
import { clientGrant } from '../../src-main/auth/client-credentials.ts'
import { Reachable } from '../../src-main/auth/reachable.ts'
import { TokenStore } from '../../src-main/auth/token-store.ts'
import type { HttpFetch } from '../../src-main/transports/http/http-fetch.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { MemoryBox, WillingPerson } from '../support/willing-person.ts'
import { type Enterprise, enterpriseGrant } from './enterprise-grant.ts'

/** The runner's description of the scenario for a client. */
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
  const own = client && {
    clientId: client.clientId,
    scopes: [],
    ...(clientSecret !== undefined && { secret: clientSecret }),
    ...(context.private_key_pem !== undefined && { key: { pem: context.private_key_pem } }),
  }
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
          unattended: () => (challenge, _before, until) => {
            const { clientId, clientSecret = '' } = client
            return enterpriseGrant(serverUrl, challenge, { clientId, clientSecret }, enterprise, http, until)
          },
        }),
      ...(own &&
        alone && {
          unattended: () => (challenge, before, until) =>
            clientGrant({
              serverUrl,
              challenge,
              client: own,
              http,
              clock: systemClock,
              signal: until,
              ...(before && { before }),
            }),
        }),
    })
    return authorizedFetch(fetch, authorization)
  }
}

function enterpriseOf(context: Context): Enterprise | undefined {
  const { idp_client_id: clientId, idp_id_token: idToken, idp_issuer: issuer, idp_token_endpoint: tokenEndpoint } = context
  if (clientId === undefined || idToken === undefined || issuer === undefined || tokenEndpoint === undefined) return undefined
  return { clientId, idToken, issuer, tokenEndpoint }
}
