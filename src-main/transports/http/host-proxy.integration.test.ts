import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer as createListener } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConnectProxy } from '../../../e2e/support/connect-proxy.ts'
import { testConnector } from '../../../e2e/support/test-connector.ts'
import { hostPatterns } from '../../../src-shared/base/host-pattern.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { ConnectorOptions } from './connector.ts'
import { openHostProxy, serveHosts } from './host-proxy.ts'

/** A service on this computer that says which requests it got. */
async function service(host = '127.0.0.1') {
  const requests: {
    readonly line: string
    readonly headers: IncomingMessage['headers']
    readonly hosts: readonly string[] | undefined
    readonly body: string
  }[] = []
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    const { headers, headersDistinct } = request
    requests.push({ line: `${request.method} ${request.url}`, headers, hosts: headersDistinct.host, body })
    response.setHeader('Connection', 'X-Hop, keep-alive').setHeader('X-Hop', 'its own').setHeader('X-End', 'for all')
    response.end(`served ${request.url}`)
  })
  await once(server.listen(0, host), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return { requests, port: (server.address() as AddressInfo).port }
}

const TABLE: Readonly<Record<string, readonly string[]>> = {
  'one.localhost': ['127.0.0.1'],
  'two.localhost': ['127.0.0.1'],
  'rebound.example': ['127.0.0.1', '::1', '::ffff:127.0.0.1'],
  'link.example': ['169.254.255.1', 'fe80::1', '0.0.0.0'],
}

async function proxyFor(hosts: readonly string[], options: ConnectorOptions = {}) {
  const lifetime = new Lifetime('proxy')
  const listener = createListener()
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const { port } = listener.address() as AddressInfo
  const refused: string[] = []
  const ended = Promise.withResolvers<void>()
  const looked: string[] = []
  const lookup = async (name: string) => {
    looked.push(name)
    return TABLE[name] ?? []
  }
  const connector = testConnector(lifetime, { lookup, ...options })
  serveHosts(listener, { hosts: hostPatterns(hosts), connector, onRefused: (host) => refused.push(host), ended: ended.promise })
  onTestFinished(async () => {
    ended.resolve()
    await lifetime.end()
  })
  /** Everything that comes back for these bytes. */
  const say = async (text: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(text)
    const answered: Buffer[] = []
    for await (const chunk of socket) {
      answered.push(chunk)
      if (text.startsWith('CONNECT') && String(chunk).includes(' 200 ')) break
    }
    return Buffer.concat(answered).toString()
  }
  const statusOf = async (text: string) => Number((await say(text)).split(' ')[1])
  const ask = (address: string, host = 'any') => statusOf(`GET ${address} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  const tunnel = (authority: string) => statusOf(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)
  return { port, refused, looked, end: ended.resolve, say, ask, tunnel }
}

/** A client of SOCKS 5 that gives its bytes one by one. The replies, or what a service answered to its request. */
async function socks(port: number, host: string, to: number, change: { command?: number; credentials?: string } = {}) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const send = (bytes: Buffer | readonly number[]) => {
    for (const byte of bytes) socket.write(Buffer.from([byte]))
  }
  const pieces = socket.iterator({ destroyOnReturn: false })
  let kept = ''
  /** Everything that is said until it is enough, or until it ends. */
  const until = async (isEnough: () => boolean): Promise<string> => {
    while (!isEnough()) {
      const { done, value } = await pieces.next()
      if (done) break
      kept += value.toString('latin1')
    }
    return kept
  }
  const take = async (size: number): Promise<readonly number[]> => {
    const said = await until(() => kept.length >= size)
    kept = said.slice(size)
    return [...Buffer.from(said.slice(0, size), 'latin1')]
  }
  const [name = '', password = ''] = (change.credentials ?? '').split(':')
  send(change.credentials === undefined ? [5, 1, 0] : [5, 1, 2])
  const method = await take(2)
  if (method[1] === 0xff) return { method }
  if (method[1] === 2) {
    send([1, name.length, ...Buffer.from(name), password.length, ...Buffer.from(password)])
    const passed = await take(2)
    if (passed[1] !== 0) return { method, passed }
  }
  const v6 = host === '::1'
  const address = v6 ? [4, ...Buffer.alloc(15), 1] : /^[\d.]+$/.test(host) ? [1, ...host.split('.').map(Number)] : undefined
  send([5, change.command ?? 1, 0, ...(address ?? [3, host.length, ...Buffer.from(host)]), to >> 8, to & 0xff])
  const reply = (await take(10))[1]
  if (reply !== 0) return { method, reply }
  socket.write('GET /s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  return { method, reply, said: await until(() => kept.includes('served')) }
}

describe('the proxy of a fence', () => {
  it('reaches a named host for a client of SOCKS 5, by its name and by its address, and no other', async () => {
    const { port, requests } = await service()
    const proxy = await proxyFor([`one.localhost:${port}`, `127.0.0.1:${port}`])
    expect(await socks(proxy.port, 'one.localhost', port)).toMatchObject({ reply: 0, said: expect.stringContaining('served /s') })
    expect(await socks(proxy.port, '127.0.0.1', port)).toMatchObject({ reply: 0, said: expect.stringContaining('served /s') })
    expect(requests).toHaveLength(2)
    expect(await socks(proxy.port, 'two.localhost', port)).toMatchObject({ reply: 2 })
    expect(await socks(proxy.port, '::1', port)).toMatchObject({ reply: 2 })
    expect(await socks(proxy.port, 'one.localhost', port + 1)).toMatchObject({ reply: 2 })
    for (const name of ['', 'a b@one.localhost', `${'x.'.repeat(127)}x`, `one.localhost:${port}`, 'one.localhost/'])
      expect([name, await socks(proxy.port, name, port)]).toMatchObject([name, { reply: 2 }])
    expect(await socks(proxy.port, 'one.localhost', 0)).toMatchObject({ reply: 2 })
    expect(proxy.refused).toEqual([`two.localhost:${port}`, `[::1]:${port}`, `one.localhost:${port + 1}`])
    expect(proxy.looked).toEqual(['one.localhost'])
    expect(requests).toHaveLength(2)
  })

  it('does for a client of SOCKS 5 nothing but connect', async () => {
    const { port, requests } = await service()
    const proxy = await proxyFor([`one.localhost:${port}`])
    for (const command of [2, 3, 0])
      expect(await socks(proxy.port, 'one.localhost', port, { command })).toMatchObject({ reply: 7 })
    expect(requests).toEqual([])
  })

  it('asks a client of SOCKS 5 for the credentials, where others reach the socket', async () => {
    const { port, requests } = await service()
    const [lifetime, ended] = [new Lifetime('proxy'), new AbortController()]
    onTestFinished(() => lifetime.end())
    const connector = testConnector(lifetime, { lookup: async (name) => TABLE[name] ?? [] })
    const proxy = await openHostProxy(
      { hosts: hostPatterns([`one.localhost:${port}`]), connector, onRefused: () => {} },
      ended.signal,
    )
    onTestFinished(() => ended.abort())
    const { username, password } = new URL(proxy.address)
    const give = (credentials?: string) =>
      socks(proxy.port, 'one.localhost', port, credentials === undefined ? {} : { credentials })
    expect(await give()).toEqual({ method: [5, 0xff] })
    expect(await give('parley:x')).toEqual({ method: [5, 2], passed: [1, 1] })
    expect(await give(`other:${password}`)).toEqual({ method: [5, 2], passed: [1, 1] })
    expect(requests).toEqual([])
    expect(await give(`${username}:${password}`)).toMatchObject({ reply: 0, said: expect.stringContaining('served /s') })
  })

  it('serves on a loopback of others only who has its credentials, until its program ends', async () => {
    const { port: web } = await service()
    const [lifetime, ended] = [new Lifetime('proxy'), new AbortController()]
    onTestFinished(() => lifetime.end())
    const connector = testConnector(lifetime, { lookup: async (name) => TABLE[name] ?? [] })
    const refused: string[] = []
    const hosts = hostPatterns([`one.localhost:${web}`])
    const proxy = await openHostProxy({ hosts, connector, onRefused: (host) => refused.push(host) }, ended.signal)
    const { username, password } = new URL(proxy.address)
    const ask = async (method: 'CONNECT' | 'GET', target: string, given?: string) => {
      const authorization = given === undefined ? '' : `Proxy-Authorization: Basic ${Buffer.from(given).toString('base64')}\r\n`
      const socket = connect(proxy.port, '127.0.0.1')
      socket.write(`${method} ${target} HTTP/1.1\r\nHost: any\r\n${authorization}Connection: close\r\n\r\n`)
      const [first] = (await once(socket, 'data')) as [Buffer]
      socket.destroy()
      return Number(first.toString().split(' ')[1])
    }
    for (const given of [undefined, '', 'parley:', `${username}:${password}x`, `other:${password}`]) {
      expect(await ask('GET', `http://one.localhost:${web}/`, given)).toBe(407)
      expect(await ask('CONNECT', `other.localhost:${web}`, given)).toBe(407)
    }
    expect(refused).toEqual([])
    expect(await ask('GET', `http://one.localhost:${web}/`, `${username}:${password}`)).toBe(200)
    expect(await ask('CONNECT', `one.localhost:${web}`, `${username}:${password}`)).toBe(200)
    ended.abort()
    await expect(once(connect(proxy.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
  })

  it('reaches a named host, by a request and by a tunnel', async () => {
    const { port, requests } = await service()
    const proxy = await proxyFor([`one.localhost:${port}`])
    expect(await proxy.ask(`http://one.localhost:${port}/a?b`)).toBe(200)
    expect(await proxy.tunnel(`one.localhost:${port}`)).toBe(200)
    expect(requests).toMatchObject([{ line: 'GET /a?b' }])
    expect(proxy.refused).toEqual([])
  })

  it('carries a tunnel both ways, and closes it with the program', async () => {
    const echo = createListener((socket) => void socket.on('error', () => {}).on('data', (chunk) => socket.write(chunk)))
    await once(echo.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void echo.close())
    const { port } = echo.address() as AddressInfo
    const proxy = await proxyFor([`one.localhost:${port}`])
    const socket = connect(proxy.port, '127.0.0.1')
    socket.write(`CONNECT one.localhost:${port} HTTP/1.1\r\nHost: x\r\n\r\nthere and back`)
    let got = ''
    socket.on('error', () => {}) // The proxy may close it with our last words unread.
    socket.on('data', (chunk) => {
      got += String(chunk)
      if (got.includes('too late')) socket.destroy()
      else if (got.includes('there and back')) {
        proxy.end()
        socket.write('too late')
      }
    })
    await new Promise((resolve) => socket.once('close', resolve))
    expect(got).toMatch(/200 Connection Established\r\n\r\nthere and back$/)
    const after = connect(proxy.port, '127.0.0.1')
    await expect(once(after, 'connect')).rejects.toThrow('ECONNREFUSED')
  })

  it('refuses every other host and port without looking its name up', async () => {
    const { port, requests } = await service()
    const proxy = await proxyFor([`one.localhost:${port}`, '*.example.com', 'named.example'])
    const targets = [
      `two.localhost:${port}`,
      'one.localhost:1',
      `one.localhost.:${port + 1}`,
      'one.localhost:443',
      `127.0.0.1:${port}`,
      `0x7f.1:${port}`,
      `2130706433:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      'example.com:443',
      'badexample.com:443',
      'named.example.evil.example:443',
      'named.example:8443',
    ]
    for (const target of targets) {
      expect([target, await proxy.tunnel(target), await proxy.ask(`http://${target}/`)]).toEqual([target, 403, 403])
    }
    expect(requests).toEqual([])
    expect(proxy.looked).toEqual([])
    expect(proxy.refused).toContain('named.example:8443')
    expect(proxy.refused).toContain('example.com')
    expect(proxy.refused).toContain(`[::1]:${port}`)
  })

  it('refuses a name that leads to this computer, and one below a named host that leads to its network', async () => {
    const proxy = await proxyFor(['rebound.example', 'link.example', '*.example.com'])
    for (const name of ['rebound.example', 'link.example'])
      expect([await proxy.tunnel(`${name}:443`), await proxy.ask(`http://${name}/`)]).toEqual([403, 403])
    expect(proxy.refused).toContain('rebound.example')
    const below = await proxyFor(['*.office.example'], { lookup: async () => ['10.255.255.1'] })
    expect(await below.tunnel('x.office.example:443')).toBe(403)
  })

  it('connects to the address that it judged', async () => {
    const { port } = await service()
    let times = 0
    const lookup = async () => (times++ === 0 ? ['192.0.0.1'] : ['127.0.0.1'])
    const proxy = await proxyFor([`trick.example:${port}`], { lookup })
    expect(await proxy.tunnel(`trick.example:${port}`)).toBe(403)
    expect(times).toBe(1)
  })

  it('sends the host of the address, whatever the Host header says, and nothing that is of the connection', async () => {
    const { port, requests } = await service()
    const proxy = await proxyFor([`one.localhost:${port}`])
    const answer = await proxy.say(
      [
        `POST http://one.localhost:${port}/form HTTP/1.1`,
        'Host: two.localhost',
        'Proxy-Authorization: Basic c2VjcmV0',
        'Connection: close, X-Mine',
        'X-Mine: hop',
        'Upgrade: h2c',
        'Content-Length: 5',
        '',
        'hello',
      ].join('\r\n'),
    )
    expect(requests).toMatchObject([{ line: 'POST /form', body: 'hello', hosts: [`one.localhost:${port}`] }])
    for (const name of ['proxy-authorization', 'x-mine', 'upgrade']) expect(requests[0]?.headers).not.toHaveProperty(name)
    expect(answer).toContain('X-End')
    expect(answer).not.toContain('X-Hop')
  })

  it('judges each request of a connection, and lets none hide in another', async () => {
    const { port, requests } = await service()
    const proxy = await proxyFor([`one.localhost:${port}`])
    const to = (host: string, ...more: string[]) => [`GET http://${host}:${port}/ HTTP/1.1`, 'Host: x', ...more, '', '']
    const two = await proxy.say([...to('one.localhost'), ...to('two.localhost', 'Connection: close')].join('\r\n'))
    expect([...two.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '403'])
    const hidden = to('two.localhost').join('\r\n')
    for (const framing of [
      [`Content-Length: 4`, 'Transfer-Encoding: chunked'],
      ['Content-Length: 4', `Content-Length: ${hidden.length}`],
      ['Transfer-Encoding: identity, chunked, x'],
      ['Transfer-Encoding : chunked'],
    ]) {
      await proxy.say(`${to('one.localhost', 'Connection: close', ...framing).join('\r\n')}0\r\n\r\n${hidden}`)
    }
    // A body of GET keeps its frame on the way.
    const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`
    await proxy.say(`${to('one.localhost', 'Connection: close', 'Transfer-Encoding: chunked').join('\r\n')}${chunk}`)
    expect(requests.map(({ headers }) => headers.host)).toEqual(requests.map(() => `one.localhost:${port}`))
    expect(requests.map(({ line }) => line)).toEqual(requests.map(() => 'GET /'))
    expect(requests.at(-1)?.body).toBe(hidden)
  })

  it('answers what is no request to a proxy with an error, and never with a connection', async () => {
    const proxy = await proxyFor(['one.localhost'])
    for (const address of ['/', 'https://one.localhost/', 'ftp://one.localhost/', 'http://user@one.localhost/', 'http://'])
      expect([address, await proxy.ask(address)]).toEqual([address, 400])
    for (const authority of ['one.localhost', 'one.localhost:0', 'one.localhost:99999', 'user@one.localhost:80'])
      expect([authority, await proxy.tunnel(authority)]).toEqual([authority, 400])
    expect(await proxy.say(`GET http://one.localhost/ HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).not.toContain(' 200 ')
  })

  it('says that a host cannot be reached', async () => {
    const proxy = await proxyFor(['absent.example', 'one.localhost:1'])
    expect([await proxy.tunnel('absent.example:443'), await proxy.tunnel('one.localhost:1')]).toEqual([502, 502])
    expect(proxy.refused).toEqual([])
  })

  it('refuses a name that is too long for a host, and does not show it', async () => {
    const proxy = await proxyFor(['*.example.com'])
    const name = `${'x.'.repeat(2000)}example.com`
    expect([await proxy.tunnel(`${name}:443`), await proxy.ask(`http://${name}/`)]).toEqual([403, 403])
    expect([proxy.refused, proxy.looked]).toEqual([[], []])
  })

  it('goes through the proxy of the settings, to names that it may reach alone', async () => {
    const company = await ConnectProxy.serve()
    onTestFinished(() => company.close())
    const { port } = await service()
    const proxy = await proxyFor([`127.0.0.2:${port}`, '*.office.internal'], { proxyFor: async () => `PROXY ${company.address}` })
    expect(await proxy.tunnel('x.office.internal:443')).toBe(403)
    expect(company.targets).toEqual([])
  })
})
