import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { ConnectProxy } from '../../../e2e/support/connect-proxy.ts'
import { type Handle, json, Loopback } from '../../../e2e/support/loopback.ts'
import type { TransportError } from '../../protocol/peer/transport.ts'
import { type ConnectorOptions, createConnector } from './connector.ts'
import { type HttpRequest, readBody } from './http-fetch.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const certificate = (name: string) => readFile(new URL(`../../../e2e/support/certificates/${name}`, import.meta.url), 'utf8')

function connector(options: ConnectorOptions = {}) {
  const made = createConnector({ environment: {}, ...options })
  cleanups.push(() => made.close())
  return made
}

async function serve(handle: Handle) {
  const server = await Loopback.serve(handle)
  cleanups.push(() => server.close())
  return server
}

/** https on loopback with a certificate of an authority that no system knows. */
async function serveTls(handle: Handle) {
  const [key, cert] = await Promise.all([certificate('localhost.key'), certificate('localhost.pem')])
  const make = ((listener: Parameters<typeof createTlsServer>[1]) => createTlsServer({ key, cert }, listener)) as never
  const server = await Loopback.serve(handle, make)
  cleanups.push(() => server.close())
  return server
}

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  signal: new AbortController().signal,
  ...more,
})
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('was not refused'),
    (error: TransportError) => error,
  )

describe('a redirect', () => {
  it('is followed within the origin, with method and body unchanged (TRAN-70)', async () => {
    const server = await serve((request, response) => {
      if (request.path === '/mcp') response.writeHead(307, { location: '/mcp/' }).end()
      else json(response, { method: request.method, body: request.body, key: request.headers['x-key'] })
    })
    const request = { method: 'POST' as const, body: '{"id":1}', headers: { 'x-key': 'k' } }
    const response = await connector().request(get(`${server.origin}/mcp`, request))
    expect(JSON.parse(String(await readBody(response, 1000)))).toEqual({ method: 'POST', body: { id: 1 }, key: 'k' })
  })

  it('never takes our headers to another origin, and its target is named instead (TRAN-70)', async () => {
    const other = await serve((_, response) => response.end())
    const server = await serve((_, response) => response.writeHead(308, { location: `${other.origin}/steal` }).end())
    const error = await failure(
      connector().request(get(server.origin, { method: 'POST', headers: { authorization: 'Bearer canary' } })),
    )
    expect(error.code).toBe('refused')
    expect(error.message).toContain(`${other.origin}/steal`)
    expect(error.details.redirectsTo).toBe(`${other.origin}/steal`)
    expect(error.message).not.toContain('canary')
    expect(other.seen).toEqual([])
  })

  it('in a loop is given up', async () => {
    const server = await serve((_, response) => response.writeHead(307, { location: '/again' }).end())
    const { code, details } = await failure(connector().request(get(server.origin)))
    expect([code, details.redirectsTo]).toEqual(['refused', undefined])
    expect(server.seen.length).toBe(6)
  })

  it('of a download is followed to another origin, but not without encryption', async () => {
    const other = await serve((_seen, response) => response.end('the file'))
    const server = await serve(({ path }, response) =>
      response.writeHead(302, { location: path === '/file' ? `${other.origin}/file` : 'http://example.com/file' }).end(),
    )
    const { request } = connector()
    const download = (path: string) => request(get(`${server.origin}${path}`, { roams: true }))
    expect(String(await readBody(await download('/file'), 100))).toBe('the file')
    await expect(download('/far')).rejects.toThrow('not encrypted')
  })

  it('that would turn a POST into a GET is passed on', async () => {
    const server = await serve((_, response) => response.writeHead(302, { location: '/login' }).end())
    expect((await connector().request(get(server.origin, { method: 'POST' }))).status).toBe(302)
    expect(server.seen.length).toBe(1)
  })
})

describe('an unreachable address', () => {
  it('is refused before anything is sent when it is remote and unencrypted (TRAN-70)', async () => {
    expect((await failure(connector().request(get('http://example.com/')))).code).toBe('refused')
  })

  it('is reported as a closed port or an unknown host', async () => {
    const closed = await failure(connector().request(get('http://127.0.0.1:1/')))
    expect([closed.code, closed.details.errno]).toEqual(['unreachable', 'ECONNREFUSED'])
    expect(closed.message).toContain('nothing is listening there')
    const unknown = await failure(connector().request(get('https://no-such-host.invalid/')))
    expect(unknown.code).toBe('unreachable')
  })

  it('is reported when it speaks no HTTP or no TLS', async () => {
    const server = createServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end('SSH-2.0-OpenSSH\r\n'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise((resolve) => server.close(() => resolve())))
    const { port } = server.address() as { port: number }
    expect((await failure(connector().request(get(`http://127.0.0.1:${port}/`)))).code).toBe('malformed')
    expect((await failure(connector().request(get(`https://127.0.0.1:${port}/`)))).code).toBe('unreachable')
  })

  it('rejects with the reason of the signal', async () => {
    const server = await serve(() => {})
    const controller = new AbortController()
    const pending = connector().request(get(server.origin, { signal: controller.signal }))
    controller.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
  })

  it('is not contacted with a header that would break the request, whose value is not shown', async () => {
    const server = await serve((_, response) => response.end())
    const error = await failure(connector().request(get(server.origin, { headers: { 'x-key': 'canary\r\nx-evil: 1' } })))
    expect(error.code).toBe('refused')
    expect(error.message).not.toContain('canary')
    expect(server.seen).toEqual([])
  })
})

describe('the body of an answer', () => {
  it('arrives whole and in order at a reader that pauses after each piece', async () => {
    const sent = Buffer.from(Array.from({ length: 1 << 20 }, (_, at) => at % 251))
    const server = await serve((_, response) => response.end(sent))
    const { body } = await connector().request(get(server.origin))
    const pieces: Buffer[] = []
    const ended = new Promise<void>((resolve) => body.once('end', resolve))
    body.on('data', (piece: Buffer) => {
      pieces.push(piece)
      body.pause()
      setImmediate(() => body.resume())
    })
    body.resume()
    await ended
    expect(Buffer.concat(pieces).equals(sent)).toBe(true)
  })

  it('is reported as incomplete even to a late reader', async () => {
    const server = await serve((request, response) => {
      if (request.path === '/whole') response.end()
      else response.writeHead(200, { 'content-length': '10' }).write('half', () => response.destroy())
    })
    const { request } = connector()
    const response = await request(get(`${server.origin}/half`))
    await request(get(`${server.origin}/whole`))
    await expect(readBody(response, 1000)).rejects.toThrow()
  })

  it('ends with the signal of its request', async () => {
    const server = await serve((_, response) => response.writeHead(200).write('half'))
    const controller = new AbortController()
    const response = await connector().request(get(server.origin, { signal: controller.signal }))
    const read = readBody(response, 1000)
    controller.abort(new Error('enough'))
    await expect(read).rejects.toThrow('enough')
  })
})

describe('compression', () => {
  it('is not requested, and is unpacked within the reader’s bounds when it comes', async () => {
    const bomb = gzipSync(Buffer.alloc(50 << 20))
    const server = await serve((request, response) => {
      const [encoding, body] = {
        '/gzip': ['gzip', gzipSync('hello')],
        '/br': ['br', brotliCompressSync('hello')],
        '/bomb': ['gzip', bomb],
      }[request.path] as [string, Buffer]
      response.writeHead(200, { 'content-encoding': encoding }).end(body)
    })
    const { request } = connector()
    for (const path of ['/gzip', '/br']) {
      expect(String(await readBody(await request(get(server.origin + path)), 1000))).toBe('hello')
    }
    expect(await readBody(await request(get(`${server.origin}/bomb`)), 1 << 20)).toBeUndefined()
    expect(server.seen.map((seen) => seen.headers['accept-encoding'])).toEqual(['identity', 'identity', 'identity'])
  })

  it('is refused when unknown', async () => {
    const server = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'zip' }).end('x'))
    expect((await failure(connector().request(get(server.origin)))).code).toBe('malformed')
  })
})

describe('the connection to a server', () => {
  it('trusts a private authority only when given, for requests and the SDKs’ fetch', async () => {
    const server = await serveTls((_, response) => json(response, { ok: true }))
    const url = `https://localhost:${server.port}/`
    const stranger = await failure(connector().request(get(url)))
    expect(stranger.code).toBe('unreachable')
    expect(stranger.message).toContain('certificate is not trusted')
    const trusting = connector({ authorities: [await certificate('authority.pem')] })
    expect((await trusting.request(get(url))).status).toBe(200)
    expect(await (await trusting.fetch(url)).json()).toEqual({ ok: true })
  })

  it('goes through the proxy named for a URL, for requests and fetch alike', async () => {
    const [proxy, server] = await Promise.all([ConnectProxy.serve(), serveTls((_, response) => json(response, { ok: true }))])
    cleanups.push(() => proxy.close())
    const asked: string[] = []
    const { request, fetch } = connector({
      authorities: [await certificate('authority.pem')],
      proxyFor: async (url) => {
        asked.push(url)
        return `PROXY ${proxy.address}`
      },
    })
    const url = `https://localhost:${server.port}/`
    expect((await request(get(url))).status).toBe(200)
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(200)
    expect(new Set(proxy.targets)).toEqual(new Set([`localhost:${server.port}`]))
    expect(asked).toEqual([url])
    expect(server.seen.map((seen) => seen.method)).toEqual(['GET', 'POST'])
  })

  it('uses the proxy of the environment, and none for unencrypted addresses on this computer', async () => {
    const proxy = await ConnectProxy.serve()
    cleanups.push(() => proxy.close())
    const [secure, plain] = await Promise.all([serveTls((_, response) => response.end()), serve((_, response) => response.end())])
    const { request } = connector({
      authorities: [await certificate('authority.pem')],
      environment: { ALL_PROXY: `http://${proxy.address}` },
    })
    await request(get(`https://localhost:${secure.port}/`))
    await request(get(plain.origin))
    expect(proxy.targets).toEqual([`localhost:${secure.port}`])
  })
})

describe('the HTTP library', () => {
  it('is loaded with the first request', async () => {
    const of = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
    const script = `
      const { default: { _cache: loaded } } = await import('node:module')
      const has = () => Object.keys(loaded).some((path) => path.includes('undici'))
      await import(${of('../stdio.ts')})
      const connector = (await import(${of('./connector.ts')})).createConnector()
      const before = has()
      await connector.fetch('http://127.0.0.1:1/').catch(() => {})
      console.log(before, has())`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    expect(stdout.trim()).toBe('false true')
  })
})
