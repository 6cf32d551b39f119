import type { Readable } from 'node:stream'
import { AuthHttp } from '../../src-main/auth/auth-http.ts'
import { Authorization } from '../../src-main/auth/authorization.ts'
import { authorizedFetch } from '../../src-main/auth/authorized-fetch.ts'
import type { Person } from '../../src-main/auth/person.ts'
import { Reachable } from '../../src-main/auth/reachable.ts'
import { TokenStore } from '../../src-main/auth/token-store.ts'
import type { HttpFetch } from '../../src-main/transports/http-fetch.ts'
import { systemClock } from '../../src-shared/base/clock.ts'

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
  return (fetch) => {
    const authorization = new Authorization({
      serverUrl,
      store: new TokenStore({ secrets: new MemoryBox(), owner: 'conformance' }),
      http: new AuthHttp({ fetch, reachable: new Reachable(serverUrl), clock: systemClock }),
      clock: systemClock,
      person: () => browsingPerson(fetch),
      metadataUrl: METADATA_URL,
      signal,
      ...(client && !alone && { configured: client }),
      ...(client && alone && { unattended: { ...client, ...(privateKey && { privateKey }) } }),
    })
    return authorizedFetch(fetch, authorization)
  }
}

function browsingPerson(fetch: HttpFetch): Person {
  return {
    async confirm({ url }, _take, signal) {
      void browse(fetch, url, signal).catch(() => {}) // the scenario's own checks tell
      return true
    },
    wait: (_question, _take, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    foreign() {},
    clientFor: async () => undefined,
  }
}

interface Hop {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readable
}

/** Follows redirects to wherever they lead, as a browser does. */
async function browse(fetch: HttpFetch, first: string, signal: AbortSignal): Promise<void> {
  let url: string | undefined = first
  for (let hops = 0; url !== undefined && hops < 10; hops++) {
    const answer: Hop = await fetch({ method: 'GET', url, headers: {}, signal }).catch(async () => {
      // The connector goes nowhere else by itself; a browser does.
      const { headers } = await globalThis.fetch(url ?? first, { redirect: 'manual', signal })
      return { headers: Object.fromEntries(headers) }
    })
    answer.body?.resume()
    url = answer.headers.location === undefined ? undefined : new URL(answer.headers.location, url).href
  }
}

async function importKey(pem: string): Promise<CryptoKey> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  return crypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
}

/** Secrets of one run. */
class MemoryBox {
  readonly #texts = new Map<string, string>()

  async get(id: string): Promise<string | undefined> {
    return this.#texts.get(id)
  }

  async set(id: string, value: string): Promise<void> {
    this.#texts.set(id, value)
  }

  async remove(id: string): Promise<void> {
    this.#texts.delete(id)
  }
}
