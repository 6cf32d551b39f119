import { describe, expect, it, onTestFinished } from 'vitest'
import { createProvider } from '../../src-main/models/create-provider.ts'
import type { ModelRequest } from '../../src-main/models/model-provider.ts'
import type { Connector } from '../../src-main/transports/http/connector.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { HttpServer } from '../servers/small/http-server.ts'
import { ConnectProxy } from '../support/connect-proxy.ts'
import { startModelApi } from '../support/model-api.ts'
import { testConnector } from '../support/test-connector.ts'
import { certificate, tlsFront } from '../support/tls-front.ts'
import { ServerHost } from '../test-hosts/server-host.ts'

/** A company's network: everything leaves through a proxy, and a certificate authority of its own signs. */
async function companyNetwork(): Promise<{ connector: Connector; proxy: ConnectProxy }> {
  const lifetime = new Lifetime('network')
  onTestFinished(() => lifetime.end())
  const proxy = await ConnectProxy.serve()
  lifetime.onEnd(() => proxy.close())
  const connector = testConnector(lifetime, {
    authorities: [await certificate('authority.pem')],
    proxyFor: async () => `PROXY ${proxy.address}`,
  })
  return { connector, proxy }
}

async function secured(server: { readonly url: string; close(): Promise<void> }) {
  onTestFinished(() => server.close())
  const front = await tlsFront(server.url)
  onTestFinished(() => front.close())
  return front
}

describe('the one connection for all HTTP', () => {
  it('takes a remote server through the proxy and trusts the company’s authority', async () => {
    const { connector, proxy } = await companyNetwork()
    const front = await secured(await HttpServer.listen())
    const parley = await ServerHost.open({ connector })
    const id = await parley.ready('far', { type: 'remote', url: front.url, headers: {} })
    expect(await parley.call(id, 'echo')).toBe('hello from afar')
    expect(new Set(proxy.targets)).toEqual(new Set([front.host]))
    await parley.end()
  })

  it.each(['anthropic', 'openai', 'openai-compatible'] as const)('takes the SDK of %s the same way', async (kind) => {
    const { connector, proxy } = await companyNetwork()
    const front = await secured(await startModelApi(() => ({ text: 'through the tunnel' })))
    const baseUrl = kind === 'anthropic' ? front.url : `${front.url}/v1`
    const provider = createProvider(kind, { name: kind, baseUrl, key: 'sk-test', retries: 0, fetch: connector.fetch })
    const question: ModelRequest = {
      model: 'model',
      system: '',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
      tools: [],
    }
    let said = ''
    for await (const delta of provider.stream(question, new AbortController().signal)) {
      if (delta.type === 'text') said += delta.text
    }
    expect(said).toBe('through the tunnel')
    expect(new Set(proxy.targets)).toEqual(new Set([front.host]))
  })
})
