import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import type { HostChannel, RendererFrame } from '../../../src-shared/contract/channel.ts'
import { BlobLinks } from '../blob-links.ts'
import { builtFiles } from './built-files.ts'
import { PageServer } from './page-server.ts'
import { Sessions } from './sessions.ts'

const VIEW = 'v'.repeat(32)
const BLOB = 'a'.repeat(64)
const clock = new ManualClock()
let folder: string
let server: PageServer
let sessions: Sessions
let links: BlobLinks
/** Channels that a page has opened and not closed. */
let attached: HostChannel[]
let frames: RendererFrame[]
let reports: (readonly string[])[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-page-'))
  await mkdir(join(folder, 'page', 'assets'), { recursive: true })
  await writeFile(join(folder, 'page', 'index.html'), '<!doctype html><title>Parley</title>')
  await writeFile(join(folder, 'page', 'assets', 'index-1a2b.js'), 'export {}')
  await writeFile(join(folder, 'secret.json'), '{"key":"canary"}')
  await mkdir(join(folder, 'page-of-another'))
  await writeFile(join(folder, 'page-of-another', 'a.js'), 'canary')
  await symlink(join(folder, 'secret.json'), join(folder, 'page', 'link.json'))
  sessions = new Sessions(clock)
  links = new BlobLinks()
  attached = []
  frames = []
  reports = []
  server = new PageServer({
    clock,
    sessions,
    links,
    port: 0,
    readBlob: async (blob) => (blob === BLOB ? Buffer.from('<svg onload="alert(1)"/>') : Promise.reject(new Error('none'))),
    apps: {
      page: async (view) => (view === VIEW ? { bytes: Buffer.from('<p>'), policy: "default-src 'none'" } : undefined),
      report: (view, body) => reports.push([view, body]),
    },
    attach: (channel) => {
      attached.push(channel)
      channel.onFrame((frame) => frames.push(frame))
      return () => attached.splice(attached.indexOf(channel), 1)
    },
    files: async (_http, origin) => builtFiles(join(folder, 'page'), origin),
  })
  await server.listen()
})

afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request as no browser would send it: any path, any header. */
function ask(path: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}): Promise<Answer> {
  const { port } = new URL(server.origin)
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      method: options.method ?? 'GET',
      headers: options.headers,
    })
    sent.on('error', reject)
    sent.on('response', async (response) => {
      let body = ''
      for await (const chunk of response) body += chunk
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
    })
    sent.end(options.body)
  })
}

const random = () => randomBytes(32).toString('base64url')

function exchange(
  token: string,
  headers: Record<string, string> = { origin: server.origin },
  secret = random(),
): Promise<Answer> {
  return ask('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ token, secret }),
  })
}

/** Opens the socket; resolves with it, or with the status by which it was refused. */
function open(options: { session?: string; origin?: string | undefined; headers?: Record<string, string>; path?: string }) {
  const protocols = ['parley.1', ...(options.session ? [`session.${options.session}`] : [])]
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}${options.path ?? '/channel'}`, protocols, {
    headers: options.headers,
    ...(options.origin !== undefined && { origin: options.origin }),
  })
  return new Promise<WebSocket | number>((resolve) => {
    socket.on('open', () => resolve(socket))
    socket.on('error', () => {})
    socket.on('unexpected-response', (_request, response) => {
      socket.terminate()
      resolve(response.statusCode ?? 0)
    })
  })
}

async function session(): Promise<string> {
  const secret = random()
  await exchange(sessions.issue(), { origin: server.origin }, secret)
  return secret
}

async function openSocket(): Promise<WebSocket> {
  const socket = await open({ session: await session(), origin: server.origin })
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  return socket
}

const closed = (socket: WebSocket) => new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)))

describe('the session', () => {
  it('is given for a token once, and to nobody else (SEC-06)', async () => {
    const token = sessions.issue()
    const first = await exchange(token)
    expect(first.status).toBe(204)
    expect(first.headers['cache-control']).toBe('no-store')
    expect(first.headers['set-cookie']).toBeUndefined()
    expect((await exchange(token)).status).toBe(401)
  })

  it('is not given after ten minutes', async () => {
    const token = sessions.issue()
    clock.advance(10 * 60_000)
    expect((await exchange(token)).status).toBe(401)
  })

  it('is not given to another origin, nor to one that hides its own', async () => {
    const token = sessions.issue()
    const { port } = new URL(server.origin)
    expect((await exchange(token, { origin: 'http://127.0.0.1:1' })).status).toBe(403)
    expect((await exchange(token, { origin: `http://localhost:${port}` })).status).toBe(403)
    expect((await exchange(token, { origin: 'null' })).status).toBe(403)
    expect((await exchange(token, {})).status).toBe(403)
    // None of them used the token up.
    expect((await exchange(token)).status).toBe(204)
  })

  it('is not given for a form that any page could post, nor for an endless body', async () => {
    const headers = { origin: server.origin, 'content-type': 'text/plain' }
    expect((await ask('/session', { method: 'POST', headers, body: `{"token":"${sessions.issue()}"}` })).status).toBe(415)
    const big = { origin: server.origin, 'content-type': 'application/json' }
    expect(
      (await ask('/session', { method: 'POST', headers: big, body: JSON.stringify({ token: 'x'.repeat(5000) }) })).status,
    ).toBe(401)
  })
})

describe('the socket', () => {
  it('opens for our own page with its session and carries frames both ways', async () => {
    const socket = await openSocket()
    expect(socket.protocol).toBe('parley.1')
    const answer = new Promise((resolve) => socket.on('message', (data) => resolve(JSON.parse(String(data)))))
    attached[0]?.onFrame(() => attached[0]?.send({ t: 'again', why: 'behind' }))
    socket.send('{"t":"hello","contract":1}')
    expect(await answer).toEqual({ t: 'again', why: 'behind' })
    expect(frames).toEqual([{ t: 'hello', contract: 1 }])
    expect(attached[0]?.backlog()).toBe(0)
    socket.close()
    await closed(socket)
    await expect.poll(() => attached.length).toBe(0)
  })

  it('is refused without a session, with a wrong one, and with a token in its place (SEC-06)', async () => {
    const { origin } = server
    expect(await open({ origin })).toBe(401)
    expect(await open({ origin, session: 'x'.repeat(43) })).toBe(401)
    expect(await open({ origin, session: sessions.issue() })).toBe(401)
    expect(attached).toEqual([])
  })

  it('is refused to another origin and to a missing one, even with the session (SEC-19)', async () => {
    const secret = await session()
    expect(await open({ session: secret, origin: 'http://127.0.0.1:1' })).toBe(403)
    expect(await open({ session: secret, origin: 'null' })).toBe(403)
    expect(await open({ session: secret })).toBe(403)
  })

  it('is refused under another host name, which is how DNS rebinding arrives (SEC-19)', async () => {
    const secret = await session()
    const host = `parley.example:${new URL(server.origin).port}`
    expect(await open({ session: secret, origin: `http://${host}`, headers: { host } })).toBe(403)
    expect(await open({ session: secret, origin: server.origin, headers: { host } })).toBe(403)
    expect(await open({ session: secret, origin: server.origin, path: '/other' })).toBe(404)
  })

  it('ends when a frame is no JSON object, is binary, or is over 1 MiB (SEC-23)', async () => {
    const send: [string | Buffer, number][] = [
      ['{"t":', 1007],
      ['[1]', 1007],
      [Buffer.from([1]), 1003],
      ['x'.repeat(1024 * 1024 + 1), 1009],
    ]
    for (const [data, code] of send) {
      const socket = await openSocket()
      socket.send(data)
      expect(await closed(socket)).toBe(code)
    }
    expect(frames).toEqual([])
  })

  it('ends when the other side has been silent for a minute', async () => {
    const socket = await openSocket()
    // A machine that is gone answers no ping.
    socket.pong = () => {}
    const end = closed(socket)
    clock.advance(30_000)
    clock.advance(30_000)
    expect(await end).toBe(1006)
  })
})

describe('the page', () => {
  it('is served under a policy without unsafe words (SEC-19)', async () => {
    const { status, headers } = await ask('/')
    const policy = String(headers['content-security-policy'])
    expect(status).toBe(200)
    expect(policy).not.toContain('unsafe')
    expect(
      Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ', 1)[0], rule.slice(rule.indexOf(' ') + 1)])),
    ).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'media-src': "'self'",
      'font-src': "'self'",
      'frame-src': `'self' ${server.origin.replace('127.0.0.1', '*.localhost')}`,
      'connect-src': `'self' ${server.origin.replace('http', 'ws')}`,
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
    })
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    expect((await ask('/assets/index-1a2b.js')).headers['cache-control']).toContain('immutable')
  })

  it('of a view has a name of its own, under which nothing else is served, and only our page may embed it (APP-8, APP-32)', async () => {
    const host = `${VIEW}.localhost:${new URL(server.origin).port}`
    const { status, headers } = await ask(`/app/${VIEW}`, { headers: { host } })
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toBe(`default-src 'none'; frame-ancestors ${server.origin}`)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    expect((await ask(`/app/${'w'.repeat(32)}`, { headers: { host } })).status).toBe(421)
    for (const path of ['/', '/session', '/assets/index-1a2b.js', links.path(BLOB, 'image/png')])
      expect((await ask(path, { headers: { host } })).status).toBe(421)
  })

  it('is not served under another host name', async () => {
    expect((await ask('/', { headers: { host: 'parley.example' } })).status).toBe(421)
    expect((await ask('/', { headers: { host: `localhost:${new URL(server.origin).port}` } })).status).toBe(421)
  })

  it('includes nothing from outside its folder (SEC-06)', async () => {
    const paths = [
      '/../secret.json',
      '/%2e%2e/secret.json',
      '/..%2fsecret.json',
      '/assets/../../secret.json',
      '/..%5csecret.json',
      '/../page-of-another/a.js',
      '/%2e%2e/page-of-another/a.js',
      '/link.json',
      '/index.html%00.js',
      '//etc/passwd',
      '/%',
      '/assets',
    ]
    for (const path of paths) {
      const answer = await ask(path)
      expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true])
      expect(answer.body).not.toContain('canary')
    }
  })

  it('answers no method but GET and HEAD', async () => {
    expect((await ask('/', { method: 'PUT' })).status).toBe(405)
    expect((await ask('/session')).status).toBe(405)
    expect((await ask('/', { method: 'HEAD' })).body).toBe('')
  })
})

describe('a blob', () => {
  it('is served inline as an image, and sandboxed whatever it is (SEC-21)', async () => {
    const { status, headers } = await ask(links.path(BLOB, 'image/png'))
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    })
  })

  it('is sent in ranges on request, as players need', async () => {
    const { status, headers, body } = await ask(links.path(BLOB, 'audio/wav'), { headers: { range: 'bytes=1-3' } })
    expect([status, headers['content-range'], headers['content-length'], body]).toEqual([206, 'bytes 1-3/24', '3', 'svg'])
  })

  it('is a download when it could contain script, or when its type is invented (SEC-21)', async () => {
    for (const type of ['image/svg+xml', 'text/html', 'application/pdf', 'image/png; x="\r\nset-cookie: a=b"', '']) {
      const { headers } = await ask(links.path(BLOB, type))
      expect(headers['content-type']).toBe('application/octet-stream')
      expect(headers['content-disposition']).toMatch(/^attachment/)
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  it('is not served without its key, under another type, or by a name that is no hash (SEC-06)', async () => {
    const good = links.path(BLOB, 'image/png')
    const bad = [
      `/blob/${BLOB}`,
      good.replace(/k=[^&]+/, 'k=AAAA'),
      good.replace('image%2Fpng', 'image%2Fgif'),
      good.replace(BLOB, 'b'.repeat(64)),
      links.path('../../secret', 'image/png'),
      links.path(BLOB.toUpperCase(), 'image/png'),
      links.path('c'.repeat(64), 'image/png'),
      new BlobLinks().path(BLOB, 'image/png'),
    ]
    for (const path of bad) expect([path, (await ask(path)).status]).toEqual([path, 404])
  })
})
