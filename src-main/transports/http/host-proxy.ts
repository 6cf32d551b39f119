import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestOver, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createListener, isIP, type Server, type Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { type HostPattern, matchesHost, patternText } from '../../../src-shared/base/host-pattern.ts'
import { isLoopbackHost, nearnessOf } from '../../../src-shared/base/hosts.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import type { Connector } from './connector.ts'
import { SOCKS, serveSocks } from './socks.ts'

interface HostProxyOptions {
  readonly hosts: readonly HostPattern[]
  readonly connector: Pick<Connector, 'tunnel'>
  /** Gets the host in the spelling of a pattern that would allow it. */
  readonly onRefused: (host: string) => void
  /** All connections end with it. */
  readonly ended: Promise<unknown>
  /** The credentials that the program has to give, as `name:password`, where others can reach the socket as well. */
  readonly credentials?: string
}

/** Connections of one program at a time. */
const CONNECTIONS = 128
const HEADER_BYTES = 16 * 1024
/** Milliseconds for a request's headers, and without a byte in either direction. */
const HEADERS_MS = 30_000
const IDLE_MS = 10 * 60_000

/** Characters of a name that can be looked up. Longer ones are not shown to the person either. */
const NAME_LENGTH = 253

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^\s:@/?#\\[\]]+):(\d{1,5})$/i
/** Addresses of a person's network, among those that nobody else has (RFC 1918, RFC 4193, RFC 6598). */
const PRIVATE = /^(?:10|172|192\.168|100)\.|^f[cd]/i
const OTHER = 'This proxy is for another program.'
/** Headers of one connection alone (RFC 9110, section 7.6.1). */
const OF_CONNECTION = ['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'upgrade']

/** Serves one program on a port of this computer's loopback; the address holds the credentials. */
export async function openHostProxy(
  options: Omit<HostProxyOptions, 'ended' | 'credentials'>,
  signal: AbortSignal,
): Promise<{ readonly address: string; readonly port: number }> {
  const listener = createListener().listen(0, '127.0.0.1')
  await once(listener, 'listening', { signal })
  const { port } = listener.address() as AddressInfo
  const credentials = `parley:${randomBytes(24).toString('hex')}`
  serveHosts(listener, { ...options, credentials, ended: once(signal, 'abort') })
  return { address: `http://${credentials}@127.0.0.1:${port}`, port }
}

/**
 * A proxy of HTTP and SOCKS 5 on a listening socket, for one program: it reaches the named hosts and nothing else. TLS passes through
 * unread: only the host of its CONNECT is known.
 */
export function serveHosts(listener: Server, { hosts, connector, onRefused, ended, credentials }: HostProxyOptions): void {
  const open = new Set<Duplex>()
  const proxy = createServer({ maxHeaderSize: HEADER_BYTES, headersTimeout: HEADERS_MS, requestTimeout: 0 })
  proxy.maxConnections = CONNECTIONS

  const dial = async (name: string, port: number): Promise<Socket> => {
    if (name.length > NAME_LENGTH) throw new TransportError('refused', 'This is longer than the name of a host.')
    const pattern = hosts.find((one) => matchesHost(one, name, port))
    const isWeb = port === 80 || port === 443
    const refuse = () => onRefused(patternText({ name, below: false, ...(!isWeb && { port }) }))
    if (!pattern) {
      refuse()
      throw new TransportError('refused', `This server may not reach ${name}: its fence does not name it.`)
    }
    try {
      return kept(await connector.tunnel({ name, port, permits: (address) => permits(pattern, address) }))
    } catch (error) {
      if (error instanceof TransportError && error.code === 'refused') refuse()
      throw error
    }
  }
  const kept = (socket: Socket): Socket => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket))
    socket.setTimeout(IDLE_MS, () => socket.destroy())
    return socket
  }

  const dialAuthority = async (authority: string) => {
    const target = authorityOf(authority)
    if (!target) throw new TransportError('refused', 'This is not a host with a port.')
    return dial(target.name, target.port)
  }

  const isOther = (request: IncomingMessage) =>
    credentials !== undefined && request.headers['proxy-authorization'] !== `Basic ${Buffer.from(credentials).toString('base64')}`

  // The first byte tells the protocol; HTTP is left to Node's own listener.
  const [readHttp] = proxy.listeners('connection')
  proxy.removeAllListeners('connection').on('connection', (socket: Socket) => {
    kept(socket).setTimeout(HEADERS_MS)
    socket.once('data', (first: Buffer) => {
      socket.pause().setTimeout(IDLE_MS)
      socket.unshift(first)
      if (first[0] === SOCKS) void serveSocks(socket, { credentials, dial: dialAuthority })
      else {
        readHttp?.call(proxy, socket)
        socket.resume()
      }
    })
  })
  proxy.on('clientError', (_error, socket) => socket.destroy())
  proxy.on('connect', (request: IncomingMessage, socket: Socket, first: Buffer) => {
    if (isOther(request)) return void socket.end(refusal(407, OTHER))
    const target = authorityOf(request.url ?? '')
    if (!target) return void socket.end(refusal(400, 'This is not a host with a port.'))
    dial(target.name, target.port).then(
      (onward) => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
        onward.write(first)
        pipeline(socket, onward, socket, () => {})
      },
      (error: unknown) => void socket.end(refusal(...answerOf(error))),
    )
  })
  proxy.on('request', (request, response) => {
    if (isOther(request)) return answer(response, 407, OTHER)
    const url = absolute(request.url ?? '')
    if (!url) return answer(response, 400, 'Ask this proxy for an address that begins with http://.')
    dial(url.hostname, Number(url.port) || 80).then(
      (socket) => forward(request, response, url, socket),
      (error: unknown) => answer(response, ...answerOf(error)),
    )
  })
  proxy.listen(listener)
  void ended.then(() => {
    proxy.close()
    for (const socket of open) socket.destroy()
  })
}

/** An internet name that resolves to this computer or its network may be an attack (DNS rebinding), unless the person named it. */
function permits({ name, below }: HostPattern, address: string): boolean {
  const nearness = nearnessOf(address)
  if (nearness === 'internet') return true
  if (below) return false
  const isOwn = isIP(name.replace(/^\[|\]$/g, '')) !== 0 || isLoopbackHost(name)
  return isOwn || address === name || (nearness === 'network' && PRIVATE.test(address))
}

function authorityOf(text: string): { readonly name: string; readonly port: number } | undefined {
  const [, host, digits] = AUTHORITY.exec(text) ?? []
  const name = host && URL.parse(`http://${host}/`)?.hostname
  const port = Number(digits)
  return name && port >= 1 && port <= 65_535 ? { name: name.replace(/\.$/, ''), port } : undefined
}

function absolute(text: string): URL | undefined {
  const url = /^http:\/\//i.test(text) ? URL.parse(text) : null
  if (!url || url.username + url.password !== '') return undefined
  url.hostname = url.hostname.replace(/\.$/, '')
  return url
}

/** Sends one request over its own connection. The Host header is that of the checked URL, not the client's. */
function forward(request: IncomingMessage, response: ServerResponse, url: URL, socket: Socket): void {
  const isChunked = request.headers['transfer-encoding'] !== undefined
  const onward = requestOver({
    createConnection: () => socket,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: [
      ...['Host', url.host, 'Connection', 'close'],
      ...endToEnd(request, 'host', 'transfer-encoding'),
      ...(isChunked ? ['Transfer-Encoding', 'chunked'] : []),
    ],
  })
  onward.on('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.statusMessage, endToEnd(reply, 'transfer-encoding'))
    pipeline(reply, response, () => {})
  })
  onward.on('error', () => (response.headersSent ? response.destroy() : answer(response, 502, `${url.host} did not answer.`)))
  response.once('close', () => onward.destroy())
  pipeline(request, onward, () => {})
}

/** Names and values in turn, without those of the connection. */
function endToEnd({ rawHeaders, headers }: IncomingMessage, ...others: readonly string[]): string[] {
  const named = (headers.connection ?? '').toLowerCase().split(/[\s,]+/)
  const dropped = new Set([...OF_CONNECTION, ...others, ...named])
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!dropped.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}

const answerOf = (error: unknown): [status: number, text: string] => {
  if (!(error instanceof TransportError)) return [502, 'The connection failed.']
  return [error.code === 'refused' ? 403 : 502, error.message]
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
  response.end(`${text}\n`)
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  407: 'Proxy Authentication Required',
  502: 'Bad Gateway',
}

function refusal(status: number, text: string): string {
  const body = `${text}\n`
  const head = `HTTP/1.1 ${status} ${REASONS[status]}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n`
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
