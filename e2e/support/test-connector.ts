import { type Connector, type ConnectorOptions, createConnector } from '../../src-main/transports/http/connector.ts'
import type { Lifetime } from '../../src-shared/base/lifetime.ts'

/** A connector for tests, which ignores this machine's proxies. Ends with the lifetime. */
export function testConnector(lifetime: Lifetime, options: ConnectorOptions = {}): Connector {
  const connector = createConnector({ environment: {}, ...options })
  lifetime.onEnd(() => connector.close())
  return connector
}
