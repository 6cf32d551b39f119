import type { Transport } from '../../src-main/protocol/peer/transport.ts'
import { DEFAULT_LIMITS } from '../../src-main/protocol/shapes/limits.ts'
import { connectHttp, ModernHttp } from '../../src-main/transports/http/connect-http.ts'
import { createConnector } from '../../src-main/transports/http/connector.ts'
import type { HttpFetch } from '../../src-main/transports/http/http-fetch.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { EraName } from '../../src-shared/mcp/primitives.ts'

/** Our HTTP transport on a connector of its own, which ends with it. `wrap` can intercept its requests. */
export function httpTransport(
  url: string,
  wrap: (fetch: HttpFetch) => HttpFetch = (fetch) => fetch,
  era: EraName = 'legacy',
): Transport {
  const connector = createConnector({})
  const options = {
    url,
    headers: async () => ({}),
    fetch: wrap(connector.request),
    limits: DEFAULT_LIMITS,
    clock: systemClock,
    signal: new AbortController().signal,
  }
  const transport: Transport = era === 'modern' ? new ModernHttp(options) : connectHttp(options)
  const close = transport.close.bind(transport)
  transport.close = async () => {
    await close()
    await connector.close()
  }
  return transport
}
