import type { Transport } from '../../src-main/protocol/peer/transport.ts'
import { DEFAULT_LIMITS } from '../../src-main/protocol/shapes/limits.ts'
import { connectHttp } from '../../src-main/transports/connect-http.ts'
import { createConnector } from '../../src-main/transports/connector.ts'
import type { HttpFetch } from '../../src-main/transports/http-fetch.ts'
import { systemClock } from '../../src-shared/base/clock.ts'

/** Our HTTP transport on a connector of its own, which ends with it. `wrap` stands between the two. */
export function httpTransport(url: string, wrap: (fetch: HttpFetch) => HttpFetch = (fetch) => fetch): Transport {
  const connector = createConnector({})
  const transport = connectHttp({
    url,
    headers: async () => ({}),
    fetch: wrap(connector.request),
    limits: DEFAULT_LIMITS,
    clock: systemClock,
    signal: new AbortController().signal,
  })
  const close = transport.close.bind(transport)
  transport.close = async () => {
    await close()
    await connector.close()
  }
  return transport
}
