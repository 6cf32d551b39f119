import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ByteStream } from '../../../src-shared/base/byte-stream.ts'
import { type Clock, systemClock } from '../../../src-shared/base/clock.ts'
import { isLoopbackHost, isNearer, nearnessOf } from '../../../src-shared/base/hosts.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import type { AddressLook } from './address-look.ts'
import { exchange } from './exchange.ts'
import { checkedUrl, discard, type HttpFetch, type HttpRequest, type HttpResponse } from './http-fetch.ts'
import { networkError, notOnInternet } from './network-errors.ts'
import { firstUsable, type ProxyFor, proxyFromEnvironment } from './proxies.ts'
import type { Lookup, TunnelTarget } from './tunnel.ts'

type Undici = typeof import('undici')
type Dispatcher = import('undici').Dispatcher
type SecureContext = import('node:tls').SecureContext

/** All outgoing HTTP goes through a connector, with its proxy and certificates. */
export interface Connector {
  readonly request: HttpFetch
  /** The same network as `fetch`, for model SDKs. */
  readonly fetch: typeof fetch
  /** Changes the route of later requests; running ones keep theirs. */
  reroute(route: Route): void
  /** Examines the path to an address, to tell why it cannot be reached. Throws TransportError `refused` as `request` does. */
  look(url: string, signal: AbortSignal): Promise<AddressLook>
  /** A raw connection, as `openTunnel` makes it. */
  tunnel(target: TunnelTarget): Promise<Socket>
  /** Ends every connection at once. */
  close(): Promise<void>
}

interface Route {
  /** Defaults to that of the connector's options, then to the environment's. */
  readonly proxyFor?: ProxyFor
  /** Certificate authorities to trust besides the system's, as PEM. */
  readonly authorities?: readonly string[]
}

export interface ConnectorOptions extends Route {
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  /** The addresses of names, for tunnels; the system's by default. */
  readonly lookup?: Lookup
}

const CONNECT_MS = 10_000
const MAX_REDIRECTS = 5
/** Milliseconds to reuse the proxy decision of an origin. */
const PROXY_MS = 30_000

/** Cheap to make: the HTTP library is loaded by the first request. */
export function createConnector(options: ConnectorOptions = {}): Connector {
  const clock = options.clock ?? systemClock
  const network = new Network(options, clock)
  return {
    request: (request) => perform(network, request, clock),
    // undici's fetch is the browser's with types of its own.
    fetch: ((input: string | URL | Request, init?: RequestInit) => network.fetch(input, init)) as typeof fetch,
    reroute: (route) => network.reroute(route),
    look: (url, signal) => network.look(url, signal),
    tunnel: (target) => network.tunnel(target),
    close: () => network.close(),
  }
}

/** One pool of connections per origin and proxy. */
class Network {
  readonly #clock: Clock
  readonly #defaults: Required<Route>
  readonly #lookup: Lookup | undefined
  #route: Required<Route>
  readonly #dispatchers = new Map<string, Dispatcher>()
  /** Dispatchers of earlier routes, until their requests end. */
  readonly #retired = new Set<Dispatcher>()
  readonly #decisions = new Map<string, { readonly at: number; readonly proxy: Promise<string | undefined> }>()
  #loading: Promise<Undici> | undefined
  #securing: Promise<SecureContext> | undefined
  #closed = false
  #lastUrl: { readonly text: string; readonly url: URL } | undefined

  constructor(options: ConnectorOptions, clock: Clock) {
    this.#clock = clock
    this.#lookup = options.lookup
    const { proxyFor = proxyFromEnvironment(options.environment ?? process.env), authorities = [] } = options
    this.#defaults = { proxyFor, authorities }
    this.#route = this.#defaults
  }

  reroute(route: Route): void {
    this.#route = { ...this.#defaults, ...route }
    this.#decisions.clear()
    this.#securing = undefined
    for (const dispatcher of this.#dispatchers.values()) {
      this.#retired.add(dispatcher)
      const gone = () => this.#retired.delete(dispatcher)
      dispatcher.close().then(gone, gone)
    }
    this.#dispatchers.clear()
  }

  /** As `checkedUrl`, with the last result kept: most requests go to the same address. */
  checked(text: string): URL {
    if (this.#lastUrl?.text !== text) this.#lastUrl = { text, url: checkedUrl(text) }
    return this.#lastUrl.url
  }

  /** A dispatcher that needs no lookup of proxy or certificates: for this computer, from the second request on. */
  known(url: URL): Dispatcher | undefined {
    return isPlain(url) ? this.#dispatchers.get('plain') : undefined
  }

  async dispatcherFor(url: URL, onlyInternet = false): Promise<Dispatcher> {
    const route = this.#route
    const proxy = await this.proxyOf(url)
    const plain = !proxy && url.protocol === 'http:'
    const undici = await this.#load()
    // Unencrypted requests need not wait for the certificates.
    const secured = plain ? undefined : { secureContext: await this.#secure() }
    const lookup = onlyInternet && !proxy ? await this.#internetLookup() : undefined
    if (this.#closed) throw new TransportError('closed', 'The program is closing its connections.')
    if (route !== this.#route) return this.dispatcherFor(url, onlyInternet)
    const key = plain ? 'plain' : (proxy ?? (lookup ? 'internet' : 'direct'))
    const known = this.#dispatchers.get(key)
    if (known) return known
    const tls = { ...secured, timeout: CONNECT_MS, ...(lookup && { lookup }) }
    // Callers set the deadlines, by the injected clock.
    const common = { headersTimeout: 0, bodyTimeout: 0, allowH2: false, connect: tls }
    const made = proxy
      ? new undici.ProxyAgent({ ...common, uri: proxy, requestTls: tls, proxyTls: tls, proxyTunnel: true })
      : new undici.Agent(common)
    this.#dispatchers.set(key, made)
    return made
  }

  async look(text: string, signal: AbortSignal): Promise<AddressLook> {
    const url = this.checked(text)
    const [undici, { lookAtAddress }] = await Promise.all([this.#load(), import('./address-look.ts')])
    return lookAtAddress(url, await this.proxyOf(url), undici, signal)
  }

  async tunnel(target: TunnelTarget): Promise<Socket> {
    const { openTunnel, systemLookup } = await import('./tunnel.ts')
    const proxy = isLoopbackHost(target.name) ? undefined : await this.proxyOf(new URL(`https://${target.name}:${target.port}`))
    const secureContext = proxy?.startsWith('https:') ? await this.#secure() : undefined
    return openTunnel(target, {
      lookup: this.#lookup ?? systemLookup,
      ...(proxy !== undefined && { proxy: { url: new URL(proxy), ...(secureContext && { secureContext }) } }),
    })
  }

  async fetch(input: string | URL | Request, init: RequestInit | undefined): Promise<unknown> {
    const undici = await this.#load()
    const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url)
    const dispatcher = await this.dispatcherFor(url)
    // The global types and undici's differ in name only.
    const given = (
      typeof input === 'string' || input instanceof URL ? input : new undici.Request(input.url, input as never)
    ) as string
    // A caller that wants redirects asks for them.
    return undici.fetch(given, { redirect: 'error', ...(init as object), dispatcher })
  }

  async close(): Promise<void> {
    this.#closed = true
    const dispatchers = [...this.#dispatchers.values(), ...this.#retired]
    this.#dispatchers.clear()
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()))
  }

  #load() {
    this.#loading ??= import('undici')
    return this.#loading
  }

  async #internetLookup() {
    const { internetLookup, systemLookup } = await import('./tunnel.ts')
    return internetLookup(this.#lookup ?? systemLookup)
  }

  #secure(): Promise<SecureContext> {
    this.#securing ??= import('node:tls').then((tls) => {
      const ca = [...new Set([...systemAuthorities(tls), ...this.#route.authorities])]
      // Made once: parsing all certificates costs more than a connection.
      return tls.createSecureContext({ ca })
    })
    return this.#securing
  }

  /** The proxy for a URL; undefined for a direct connection. */
  proxyOf(url: URL): Promise<string | undefined> {
    if (isPlain(url)) return Promise.resolve(undefined)
    const now = this.#clock.now()
    const known = this.#decisions.get(url.origin)
    if (known && now - known.at < PROXY_MS) return known.proxy
    const proxy = this.#route.proxyFor(url.href).then(firstUsable)
    proxy.catch(() => this.#decisions.delete(url.origin))
    this.#decisions.set(url.origin, { at: now, proxy })
    return proxy
  }
}

function systemAuthorities(tls: typeof import('node:tls')): readonly string[] {
  try {
    return [...tls.getCACertificates('default'), ...tls.getCACertificates('system')]
  } catch {
    // Not every runtime can read the system's store; the well-known authorities remain.
    return tls.rootCertificates
  }
}

/** Unencrypted servers on this computer are never reached by a proxy. */
function isPlain(url: URL): boolean {
  return url.protocol === 'http:' && isLoopbackHost(url.hostname)
}

async function perform(network: Network, request: HttpRequest, clock: Clock): Promise<HttpResponse> {
  const { method, headers, body, signal, onlyInternet } = request
  let url = network.checked(request.url)
  // A redirect never leads nearer.
  if (onlyInternet && nearnessOf(url.hostname) !== 'internet') throw notOnInternet(url.hostname)
  for (let redirects = 0; ; redirects++) {
    signal.throwIfAborted()
    let response: HttpResponse
    try {
      const dispatcher = network.known(url) ?? (await network.dispatcherFor(url, onlyInternet))
      const target = { origin: url.origin, path: `${url.pathname}${url.search}`, method, body: body ?? null }
      const sent = { 'user-agent': 'Parley', ...headers, 'accept-encoding': 'identity' }
      response = await exchange(dispatcher, { ...target, headers: sent }, signal)
    } catch (error) {
      signal.throwIfAborted()
      // If even the proxy is unknown, the first error is reported without it.
      throw networkError(error, url, await network.proxyOf(url).catch(() => undefined))
    }
    const target = redirectOf(response, method)
    if (target === undefined) {
      const answer = redirects > 0 ? { ...response, redirectedTo: url.href } : response
      return answer.headers['content-encoding'] === undefined ? answer : decompressed(answer)
    }
    discard(response, clock)
    url = followed(target, url, redirects, request.roams)
  }
}

function redirectOf(response: HttpResponse, method: string): string | undefined {
  // 301 and 302 turn a POST into a GET for historical reasons; they are returned to the caller.
  const keeps = response.status === 307 || response.status === 308
  const reads = method === 'GET' && (response.status === 301 || response.status === 302 || response.status === 303)
  return keeps || reads ? response.headers.location : undefined
}

/** Our headers are for one origin only (TRAN-70); a request that roams has none. */
function followed(target: string, from: URL, redirects: number, roams = false): URL {
  if (redirects >= MAX_REDIRECTS) throw new TransportError('refused', `The server at ${from.origin} redirects without end.`)
  const url = URL.parse(target, from.href) ?? undefined
  if (url?.origin === from.origin) return url
  if (url && roams && !isNearer(url.hostname, from.hostname)) return checkedUrl(url.href)
  const where = url ? `${url.origin}${url.pathname}` : `“${target.slice(0, 200)}”`
  const message = `The server redirects to another address: ${where}. If you trust it, enter that one.`
  throw new TransportError('refused', message, { redirectsTo: where })
}

/** No compression is requested, but some servers send it. Unpacked while reading, so that bounds apply to the result. */
async function decompressed(response: HttpResponse): Promise<HttpResponse> {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return response
  const zlib = await import('node:zlib')
  const makers: Readonly<Record<string, () => Duplex>> = {
    gzip: () => zlib.createGunzip(),
    'x-gzip': () => zlib.createGunzip(),
    deflate: () => zlib.createInflate(),
    br: () => zlib.createBrotliDecompress(),
  }
  const make = makers[encoding]
  if (!make) {
    response.body.destroy()
    const status = { status: response.status }
    throw new TransportError('malformed', `The server sent an unknown compression: ${encoding.slice(0, 50)}.`, status)
  }
  return { ...response, body: through(response.body, make()) }
}

/** Pipes one stream into the other; each ends with the other, and errors reach the reader. */
function through(packed: ByteStream<Buffer>, unpacked: Duplex): Duplex {
  unpacked.on('drain', () => packed.resume()).once('close', () => packed.destroy())
  packed
    .on('data', (chunk: Buffer) => {
      if (!unpacked.write(chunk)) packed.pause()
    })
    .on('end', () => unpacked.end())
    .on('error', (error: Error) => unpacked.destroy(error))
    .on('close', () => {
      if (!unpacked.writableEnded) unpacked.destroy()
    })
    .resume()
  return unpacked
}
