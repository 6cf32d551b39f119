import { describe, expect, it, onTestFinished } from 'vitest'
import type { NetworkChange } from '../../src-main/host/core/platform.ts'
import { HostError } from '../../src-shared/contract/errors.ts'
import { HttpServer } from '../servers/small/http-server.ts'
import { ConnectProxy } from '../support/connect-proxy.ts'
import { certificate, tlsFront } from '../support/tls-front.ts'
import { ServerHost } from '../test-hosts/server-host.ts'

async function proxyServer(login?: string): Promise<ConnectProxy> {
  const proxy = await ConnectProxy.serve(login)
  onTestFinished(() => proxy.close())
  return proxy
}

/** A remote server behind TLS of an authority that no system knows. */
async function farServer() {
  const server = await HttpServer.listen()
  onTestFinished(() => server.close())
  const front = await tlsFront(server.url)
  onTestFinished(() => front.close())
  return { ...front, launch: { type: 'remote' as const, url: front.url, headers: {} } }
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('was not refused'),
    (error: unknown) => (error instanceof HostError ? error.message : expect.fail(String(error))),
  )

describe('the network settings', () => {
  it('apply at once: an added authority, a proxy with its password, and neither', async () => {
    const [parley, proxy, far] = await Promise.all([ServerHost.open(), proxyServer('me:p@ss word'), farServer()])
    const { network } = parley.host
    const { request } = parley.host.connector
    const reach = async () => {
      const answer = await request({ method: 'GET', url: far.url, headers: {}, signal: AbortSignal.timeout(10_000) })
      answer.body.on('error', () => {}).destroy()
      return answer.status
    }
    await expect(reach()).rejects.toThrow(/certificate is not trusted/)
    await network.change({ authorities: `a key as well\n${await certificate('authority.pem')}` })
    const known = await reach()
    expect(known).toBeGreaterThanOrEqual(200)
    expect((await network.read()).certificates).toMatchObject([{ subject: 'Parley test authority' }])

    await network.change({ proxy: { use: 'address', address: `http://me@${proxy.address}/`, except: '' } })
    await expect(reach()).rejects.toMatchObject({ code: 'unreachable', details: { proxyStatus: 407 } })
    await network.setPassword('p@ss word')
    expect((await network.read()).password).toBe('saved')
    expect(await reach()).toBe(known)
    expect(proxy.targets).toEqual([far.host])
    const id = await parley.ready('far', far.launch)
    expect(await parley.call(id, 'echo')).toBe('hello from afar')

    const used = proxy.targets.length
    await network.change({ proxy: { use: 'address', address: `http://me@${proxy.address}`, except: 'localhost' } })
    expect(await reach()).toBe(known)
    await network.change({ proxy: { use: 'none' } })
    expect(await reach()).toBe(known)
    expect(proxy.targets).toHaveLength(used)
    await network.change({ authorities: '' })
    await expect(reach()).rejects.toThrow(/certificate is not trusted/)
    await parley.end()
  })

  it('send a password only to its own proxy, and keep it with the secrets', async () => {
    const [parley, wrong] = await Promise.all([ServerHost.open(), proxyServer('me:secret-canary')])
    const { network, settings } = parley.host
    await network.change({ proxy: { use: 'address', address: 'http://me@proxy.example:8080', except: '' } })
    await network.setPassword('secret-canary')
    await network.change({ proxy: { use: 'address', address: `http://me@${wrong.address}`, except: '' } })
    expect((await network.read()).password).toBe('missing')
    expect(JSON.stringify(settings.current)).not.toContain('secret-canary')
    await parley.end()
  })

  it('survive a restart', async () => {
    const [first, proxy, far] = await Promise.all([ServerHost.open(), proxyServer(), farServer()])
    await first.host.network.change({
      authorities: await certificate('authority.pem'),
      proxy: { use: 'address', address: proxy.address, except: '' },
    })
    await first.end()
    const second = await ServerHost.open({ folder: first.folder })
    await second.ready('far', far.launch)
    expect(new Set(proxy.targets)).toEqual(new Set([far.host]))
    await second.end()
  })

  it('name the proxy where the proxy is missing', async () => {
    const parley = await ServerHost.open()
    await parley.host.network.change({ proxy: { use: 'address', address: 'http://127.0.0.1:1', except: '' } })
    const request = { method: 'GET' as const, url: 'https://far.example/', headers: {}, signal: AbortSignal.timeout(10_000) }
    await expect(parley.host.connector.request(request)).rejects.toThrow('The proxy 127.0.0.1:1 cannot be reached')
    await parley.end()
  })

  it('change only after the shell’s confirmation, where a page could otherwise let somebody read the traffic (ARCH-06)', async () => {
    const asked: NetworkChange[] = []
    let answer = false
    const confirmNetwork = async (change: NetworkChange) => {
      asked.push(change)
      return answer
    }
    const parley = await ServerHost.open({ platform: { confirmNetwork } })
    const { network, state } = parley.host
    const authorities = await certificate('authority.pem')
    const proxy = { use: 'address', address: 'http://127.0.0.1:9', except: '' } as const
    for (const change of [{ authorities }, { proxy }]) {
      expect(await refusal(network.change(change))).toBe('Denied. Nothing was changed.')
    }
    expect(state.snapshot.settings).toMatchObject({ authorities: '', proxy: { use: 'system' } })
    answer = true
    await network.change({ authorities, proxy })
    expect(state.snapshot.settings.proxy).toEqual(proxy)
    const fingerprint = expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    expect(asked.at(-1)).toMatchObject({ authorities: [{ subject: 'Parley test authority', fingerprint }], proxy: proxy.address })
    await network.change({ theme: 'dark', authorities, proxy: { ...proxy, except: 'localhost' } })
    await network.change({ authorities: '', proxy: { use: 'none' } })
    expect(asked).toHaveLength(3)
  })

  it('refuse what cannot be used, in words, and change nothing', async () => {
    const parley = await ServerHost.open()
    const { network, settings } = parley.host
    const before = settings.current
    const own = (address: string, except = '') => network.change({ proxy: { use: 'address', address, except } })
    expect(await refusal(own('socks5://proxy.example'))).toContain('SOCKS')
    expect(await refusal(own('http://me:hush@proxy.example'))).toContain('password')
    expect(await refusal(own('http://proxy.example', '10.0.0.0/8'))).toContain('“10.0.0.0/8”')
    expect(await refusal(network.setPassword('x'))).toContain('Set a proxy before its password')
    const pem = await certificate('localhost.pem')
    expect(await refusal(network.change({ authorities: pem }))).toContain('certificate of a server')
    expect(await refusal(network.change({ authorities: await certificate('localhost.key') }))).toContain('private key')
    expect(await refusal(network.change({ authorities: 'hello' }))).toContain('holds no certificate')
    const damaged = (await certificate('authority.pem')).replace(/\n[^\n]+\n-----END/, '\n-----END')
    expect(await refusal(network.change({ authorities: damaged }))).toContain('damaged')
    expect(settings.current).toBe(before)
    await parley.end()
  })
})
