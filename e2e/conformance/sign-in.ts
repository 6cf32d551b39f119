import { AuthHttp } from '../../src-main/auth/auth-http.ts'
import { Authorization } from '../../src-main/auth/authorization.ts'
import { authorizedFetch } from '../../src-main/auth/authorized-fetch.ts'
import { discover } from '../../src-main/auth/discovery.ts'
import { Reachable } from '../../src-main/auth/reachable.ts'
import { TokenStore } from '../../src-main/auth/token-store.ts'
import type { HttpFetch } from '../../src-main/transports/http-fetch.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { MemoryBox, WillingPerson } from '../support/willing-person.ts'

/** What the runner tells a client about the scenario. */
interface Context {
  readonly client_id?: string
  readonly client_secret?: string
  readonly private_key_pem?: string
  readonly signing_algorithm?: string
}

const METADATA_URL = 'https://conformance-test.local/client-metadata.json'

/** Signs in as scenarios want it, with a browser that follows wherever it is sent. */
export async function signingIn(
  serverUrl: string,
  scenario: string,
  signal: AbortSignal,
): Promise<(fetch: HttpFetch) => HttpFetch> {
  // The runner says it by the environment; a scenario's own members differ.
  const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context
  const { client_id: clientId, client_secret: clientSecret } = context
  const client = clientId === undefined ? undefined : { clientId, ...(clientSecret !== undefined && { clientSecret }) }
  const alone = scenario.startsWith('auth/client-credentials')
  const privateKey = context.private_key_pem === undefined ? undefined : await importKey(context.private_key_pem)
  const person = new WillingPerson()
  person.client = client
  const open = async (fetch: HttpFetch): Promise<HttpFetch> => {
    const http = new AuthHttp({ fetch, reachable: new Reachable(serverUrl), clock: systemClock })
    // The runner names no issuer for the client that it hands out: it is for the one of the scenario.
    const found = client && alone ? await discover({ serverUrl, challenge: {}, http, signal, withoutPerson: true }) : undefined
    const authorization = new Authorization({
      serverUrl,
      store: new TokenStore({ secrets: new MemoryBox(), owner: 'conformance' }),
      http,
      clock: systemClock,
      person: () => person,
      metadataUrl: METADATA_URL,
      signal,
      ...(client && found && { unattended: { ...client, issuer: found.server.issuer, ...(privateKey && { privateKey }) } }),
    })
    return authorizedFetch(fetch, authorization)
  }
  return (fetch) => {
    let opening: Promise<HttpFetch> | undefined
    return async (request) => {
      opening ??= open(fetch)
      return (await opening)(request)
    }
  }
}

async function importKey(pem: string): Promise<CryptoKey> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  return crypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
}
