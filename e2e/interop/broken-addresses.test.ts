import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ConnectorOptions } from '../../src-main/transports/http/connector.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { ServerConfig } from '../../src-shared/contract/servers.ts'
import { HttpServer } from '../servers/small/http-server.ts'
import { eventStream, type Handle, json, Loopback } from '../support/loopback.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { testConnector } from '../support/test-connector.ts'
import { certificate } from '../support/tls-front.ts'
import { after, diagnosed, type Expected, expectFound, type Setup } from '../test-hosts/broken-setup.ts'
import { ServerHost } from '../test-hosts/server-host.ts'

const far = (url: string, headers: Record<string, string> = {}): ServerConfig['launch'] => ({
  type: 'remote',
  url,
  headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, { text }])),
})

/** A way out with these proxies and authorities. */
function wayOut(options: ConnectorOptions): Setup['host'] {
  const lifetime = new Lifetime('network')
  onTestFinished(() => lifetime.end())
  return { connector: testConnector(lifetime, options) }
}

async function serve(handle: Handle): Promise<string> {
  const server = await Loopback.serve(handle)
  onTestFinished(() => server.close())
  return server.origin
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** https://localhost with one of our certificates; `date` is what its clock says. */
async function secured(name: 'localhost' | 'expired' | 'elsewhere', date?: Date): Promise<string> {
  const [key, cert] = await Promise.all([certificate(`${name}.key`), certificate(`${name}.pem`)])
  const server = createTlsServer({ key, cert }, (_request, response) => {
    if (date) response.setHeader('date', date.toUTCString())
    response.writeHead(404).end()
  })
  return `https://localhost:${await listening(server)}/mcp`
}

/** A proxy that answers every tunnel with this status. */
async function proxyThatSays(status: string): Promise<string> {
  const server = createHttpServer()
  server.on('connect', (_request, socket) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`))
  return `127.0.0.1:${await listening(server)}`
}

/** A port at which nobody listens any more. */
async function closedPort(): Promise<number> {
  const server = createHttpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const says =
  (status: number, body: string, headers: Record<string, string> = {}): Handle =>
  (_request, response) => {
    response.writeHead(status, headers).end(body)
  }

type Row = readonly [name: string, setup: () => Promise<Setup> | Setup, expected: Expected]

const ROWS: readonly Row[] = [
  [
    'a name that nobody has',
    () => ({ launch: far('https://no-such-server.invalid/mcp') }),
    {
      check: 'name',
      code: 'name-unknown',
      words: /host name (?:of “it” could not be looked up|does not resolve)\./,
      remedies: [{ is: 'edit', field: 'url' }],
    },
  ],
  [
    'a port that is closed',
    async () => ({ launch: far(`http://127.0.0.1:${await closedPort()}/mcp`) }),
    {
      check: 'answer',
      code: 'port-closed',
      words: /^Nothing is listening on 127\.0\.0\.1:\d+\.$/m,
      remedies: ['start', { is: 'edit', field: 'url' }],
    },
  ],
  [
    'a certificate that nobody vouches for',
    async () => ({ launch: far(await secured('elsewhere')) }),
    {
      check: 'certificate',
      code: 'certificate-self-signed',
      words: /self-signed[\s\S]*elsewhere\.example[\s\S]*Parley tests/,
      remedies: [{ is: 'open-settings', section: 'network' }],
    },
  ],
  [
    'a certificate of an authority that is not known',
    async () => ({ launch: far(await secured('localhost')) }),
    {
      check: 'certificate',
      code: 'certificate-authority',
      words: /was not issued by an authority that this computer trusts/,
      remedies: ['open-settings'],
    },
  ],
  [
    'a certificate that has expired',
    async () => ({
      launch: far(await secured('expired', new Date())),
      host: wayOut({ authorities: [await certificate('expired.pem')] }),
    }),
    { check: 'certificate', code: 'certificate-expired', words: /has expired[\s\S]*2021/, remedies: ['start'] },
  ],
  [
    'a clock of this computer that is years ahead',
    async () => ({
      launch: far(await secured('expired', new Date('2020-06-01'))),
      host: wayOut({ authorities: [await certificate('expired.pem')] }),
    }),
    { check: 'clock', code: 'clock-off', words: /\d+ days ahead of/, remedies: ['start'], first: 'certificate-expired' },
  ],
  [
    'a certificate for another name',
    async () => ({
      launch: far(await secured('elsewhere')),
      host: wayOut({ authorities: [await certificate('elsewhere.pem')] }),
    }),
    {
      check: 'certificate',
      code: 'certificate-name',
      words: /for another host name[\s\S]*elsewhere\.example/,
      remedies: ['edit'],
    },
  ],
  [
    'a proxy that wants a sign-in',
    async () => {
      const address = await proxyThatSays('407 Proxy Authentication Required')
      return { launch: far('https://far.example/mcp'), host: wayOut({ environment: { HTTPS_PROXY: `http://${address}` } }) }
    },
    { check: 'proxy', code: 'proxy-sign-in', words: /proxy 127\.0\.0\.1:\d+ requires a sign-in/, remedies: ['open-settings'] },
  ],
  [
    'a proxy that does not lead there',
    async () => {
      const address = await proxyThatSays('403 Forbidden')
      return { launch: far('https://far.example/mcp'), host: wayOut({ environment: { HTTPS_PROXY: `http://${address}` } }) }
    },
    {
      check: 'proxy',
      code: 'proxy-refused',
      words: /answered 403 instead of connecting to “it”/,
      remedies: ['open-settings', 'edit'],
    },
  ],
  [
    'a proxy that is not there',
    async () => {
      const address = `127.0.0.1:${await closedPort()}`
      return { launch: far('https://far.example/mcp'), host: wayOut({ environment: { HTTPS_PROXY: `http://${address}` } }) }
    },
    {
      check: 'proxy',
      code: 'proxy-unreachable',
      words: /reach the proxy 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/,
      remedies: ['open-settings'],
    },
  ],
  [
    'https where only http is spoken',
    async () => ({ launch: far((await serve(says(200, ''))).replace('http:', 'https:')) }),
    { check: 'certificate', code: 'no-tls', words: /answered without TLS/, remedies: ['use-address'] },
  ],
  [
    'http where https is meant',
    () => ({ launch: far('http://far.example/mcp'), byHand: true }),
    {
      check: 'address',
      code: 'not-encrypted',
      words: /not encrypted/,
      remedies: [{ is: 'use-address', url: 'https://far.example/mcp' }],
    },
  ],
  [
    'a web page',
    async () => ({
      launch: far(await serve(says(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }))),
    }),
    { check: 'answer', code: 'web-page', words: /web page, not with MCP/, remedies: [{ is: 'edit', field: 'url' }] },
  ],
  [
    'a network that wants a sign-in first',
    async () => ({ launch: far(await serve(says(307, '', { location: 'https://portal.example/login' }))) }),
    { check: 'address', code: 'redirected', words: /portal\.example/, remedies: ['start', 'edit'] },
  ],
  [
    'a path at which there is nothing, and the one at which there is',
    async () => {
      const origin = await serve(({ method, path }, response) => {
        if (path === '/mcp' && method === 'POST') json(response, { error: 'no session' }, {}, 400)
        else response.writeHead(404).end()
      })
      return { launch: far(`${origin}/api`) }
    },
    { check: 'answer', code: 'http-404', words: /MCP server at http.*\/mcp\./, remedies: ['use-address', 'edit'] },
  ],
  [
    'a server without any endpoint',
    async () => ({ launch: far(`${await serve(says(404, 'no'))}/mcp`) }),
    { check: 'answer', code: 'http-404', words: /nothing at this address \(404\)/, remedies: [{ is: 'edit', field: 'url' }] },
  ],
  [
    'a key that is not accepted',
    async () => ({ launch: far(`${await serve(says(401, 'bad key'))}/mcp`, { Authorization: 'Bearer canary-of-a-key' }) }),
    {
      check: 'sign-in',
      code: 'key-rejected',
      words: /rejected the key in Authorization \(401\)/,
      remedies: [{ is: 'set-header', name: 'Authorization' }],
    },
  ],
  [
    'a key in a header of its own that is not accepted',
    async () => ({ launch: far(`${await serve(says(403, 'bad key'))}/mcp`, { 'X-Api-Key': 'canary-of-a-key' }) }),
    { check: 'sign-in', code: 'key-rejected', words: /X-Api-Key \(403\)/, remedies: [{ is: 'set-header', name: 'X-Api-Key' }] },
  ],
  [
    'a key that is missing',
    async () => ({ launch: far(`${await serve(says(401, 'who are you'))}/mcp`) }),
    {
      check: 'sign-in',
      code: 'no-sign-in',
      words: /found no way to sign in[\s\S]*header Authorization/,
      remedies: [{ is: 'set-header', name: 'Authorization' }, 'sign-in'],
      state: 'needs-sign-in',
    },
  ],
  [
    'too many requests',
    async () => {
      const server = await Loopback.serve(says(429, 'slow down', { 'retry-after': '2' }))
      onTestFinished(() => server.close())
      const launch = far(`${server.origin}/mcp`)
      return { launch, clock: new ManualClock(Date.now()), seconds: () => 3 * server.seen.length }
    },
    { check: 'answer', code: 'http-429', words: /Too many requests[\s\S]*wait 2 seconds/, remedies: ['start'] },
  ],
  [
    'a server that is out of order',
    async () => ({ launch: far(`${await serve(says(503, 'back soon'))}/mcp`) }),
    { check: 'answer', code: 'http-503', words: /server error \(503\)[\s\S]*back soon/, remedies: ['start'] },
  ],
  [
    'a proxy that holds streams back',
    async () => ({
      launch: far(`${await serve((_request, response) => void eventStream(response))}/mcp`),
      clock: new ManualClock(Date.now()),
      seconds: after(/POST .* 200 text\/event-stream/),
    }),
    { check: 'answer', code: 'stream-held-back', words: /its stream stayed empty[\s\S]*buffering/, remedies: ['start'] },
  ],
  [
    'a proxy that holds back the stream of an older server',
    async () => ({
      launch: far(
        `${await serve(({ method }, response) => void (method === 'GET' ? eventStream(response) : response.writeHead(405).end()))}/sse`,
      ),
      clock: new ManualClock(Date.now()),
      seconds: after(/GET .* 200 text\/event-stream/),
    }),
    { check: 'answer', code: 'stream-held-back', words: /its stream stayed empty/, remedies: ['start'] },
  ],
]

describe('the doctor of an address', () => {
  it.each(ROWS)('names %s', async (_name, setup, expected) => {
    await expectFound(await setup(), expected)
  })

  it('finds nothing wrong with a good one, and sends it nothing more', async () => {
    const server = await HttpServer.listen()
    onTestFinished(() => server.close())
    const { diagnosis } = await diagnosed({ launch: far(server.url) }, 'ready')
    expect(diagnosis.finding).toBeUndefined()
    expect(diagnosis.checks.every(({ state }) => state === 'passed')).toBe(true)
    expect(server.count('ping')).toBe(0)
  })

  it('gives nobody the person’s key while it looks for another path, nor any report', async () => {
    const seen: string[] = []
    const origin = await serve(({ path, headers }, response) => {
      if (path !== '/api') seen.push(JSON.stringify(headers))
      response.writeHead(404).end(`you said ${headers['x-api-key']}`)
    })
    const { diagnosis } = await diagnosed({ launch: far(`${origin}/api`, { 'X-Api-Key': 'canary-of-a-key' }) }, 'failed')
    expect(seen.length).toBeGreaterThan(2)
    expect(seen.join()).not.toContain('canary')
    expect(diagnosis.finding?.said).toContain('you said')
    expect(JSON.stringify(diagnosis)).not.toContain('canary')
  })

  it('waits long for nobody', async () => {
    const clock = new ManualClock(Date.now())
    const [key, cert] = await Promise.all([certificate('elsewhere.key'), certificate('elsewhere.pem')])
    const asked = Promise.withResolvers<void>()
    const port = await listening(createTlsServer({ key, cert }, () => asked.resolve()))
    const parley = await ServerHost.open({ clock })
    const launch = far(`https://localhost:${port}/mcp`)
    const { serverId } = await parley.host.servers.edits.add({ name: 'it', launch, options: {} })
    await parley.answer('it', 'allow')
    await parley.until('it', 'failed')
    const diagnosis = parley.host.servers.doctor.diagnose(serverId, new AbortController().signal)
    await asked.promise
    clock.advance(10_000)
    expect((await diagnosis).finding?.code).toBe('certificate-self-signed')
  })
})
