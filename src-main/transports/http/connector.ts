import type { Duplex } from 'node:stream'
import type { ByteStream } from '../../../src-shared/base/byte-stream.ts'
import { type Clock, systemClock } from '../../../src-shared/base/clock.ts'
import { isLoopbackHost } from '../../../src-shared/base/hosts.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import type { AddressLook } from './address-look.ts'
import { exchange } from './exchange.ts'
import { checkedUrl, discard, type HttpFetch, type HttpRequest, type HttpResponse } from './http-fetch.ts'
import { networkError } from './network-errors.ts'
import { firstUsable, type ProxyFor, proxyFromEnvironment } from './proxies.ts'

type Undici = typeof import('undici')
type Dispatcher = import('undici').Dispatcher
type SecureContext = import('node:tls').SecureContext

/** Every outgoing HTTP request of ours goes through one of these: its proxy and certificates hold for all. */
export interface Connector {
  readonly request: HttpFetch
  /** The same network, in the shape that model SDKs take. */
  readonly fetch: typeof fetch
  /** Another way for all that is asked from now on; what is under way ends as it began. */
  reroute(way: Way): void
  /** Looks at the path to an address, for a person who asks why it cannot be reached. Throws TransportError `refused` as `request` does. */
  look(url: string, signal: AbortSignal): Promise<AddressLook>
  /** Ends every connection at once. */
  close(): Promise<void>
}

/** How requests leave this computer. */
export interface Way {
  /** Those that the connector was made with when absent; the environment's, when there were none. */
  readonly proxyFor?: ProxyFor
  /** Certificate authorities to trust besides the system's, as PEM. */
  readonly authorities?: readonly string[]
}

export interface ConnectorOptions extends Way {
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
}

const CONNECT_MS = 10_000
const MAX_REDIRECTS = 5
/** A proxy decision holds for an origin this long. */
const PROXY_MS = 30_000

/** Cheap to make: the HTTP library is loaded by the first request. */
export function createConnector(options: ConnectorOptions = {}): Connector {
  const clock = options.clock ?? systemClock
  const network = new Network(options, clock)
  return {
    request: (request) => perform(network, request, clock),
    // The SDKs pass what a browser's fetch takes; undici's fetch is that, for its own types.
    fetch: ((input: string | URL | Request, init?: RequestInit) => network.fetch(input, init)) as typeof fetch,
    reroute: (way) => network.reroute(way),
    look: (url, signal) => network.look(url, signal),
    close: () => network.close(),
  }
}

/** One pool of connections per origin and proxy. */
class Network {
  readonly #clock: Clock
  readonly #first: Required<Way>
  #way: Required<Way>
  readonly #dispatchers = new Map<string, Dispatcher>()
  /** Of earlier ways, until what is under way on them has ended. */
  readonly #retired = new Set<Dispatcher>()
  readonly #decisions = new Map<string, { readonly at: number; readonly proxy: Promise<string | undefined> }>()
  #loading: Promise<Undici> | undefined
  #securing: Promise<SecureContext> | undefined
  #closed = false
  #lastUrl: { readonly text: string; readonly url: URL } | undefined

  constructor(options: ConnectorOptions, clock: Clock) {
    this.#clock = clock
    const { proxyFor = proxyFromEnvironment(options.environment ?? process.env), authorities = [] } = options
    this.#first = { proxyFor, authorities }
    this.#way = this.#first
  }

  reroute(way: Way): void {
    this.#way = { ...this.#first, ...way }
    this.#decisions.clear()
    this.#securing = undefined
    for (const dispatcher of this.#dispatchers.values()) {
      this.#retired.add(dispatcher)
      const gone = () => this.#retired.delete(dispatcher)
      dispatcher.close().then(gone, gone)
    }
    this.#dispatchers.clear()
  }

  /** As `checkedUrl`; the same address comes request after request. */
  checked(text: string): URL {
    if (this.#lastUrl?.text !== text) this.#lastUrl = { text, url: checkedUrl(text) }
    return this.#lastUrl.url
  }

  /** Dispatchers that take a request at once, where there is nothing to find out: on this computer, from the second request on. */
  known(url: URL): Dispatcher | undefined {
    return isPlain(url) ? this.#dispatchers.get('plain') : undefined
  }

  async dispatcherFor(url: URL): Promise<Dispatcher> {
    const way = this.#way
    const proxy = await this.proxyOf(url)
    const plain = !proxy && url.protocol === 'http:'
    const undici = await this.#load()
    // Unencrypted requests on this computer need not wait for the certificates to be read.
    const secured = plain ? undefined : { secureContext: await this.#secure() }
    if (this.#closed) throw new TransportError('closed', 'The program is closing its connections.')
    if (way !== this.#way) return this.dispatcherFor(url)
    const key = plain ? 'plain' : (proxy ?? 'direct')
    const known = this.#dispatchers.get(key)
    if (known) return known
    const tls = { ...secured, timeout: CONNECT_MS }
    // The caller sets the deadlines of requests, by the injected clock.
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

  async fetch(input: string | URL | Request, init: RequestInit | undefined): Promise<unknown> {
    const undici = await this.#load()
    const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url)
    const dispatcher = await this.dispatcherFor(url)
    // The global types and undici's differ in name only.
    const given = (
      typeof input === 'string' || input instanceof URL ? input : new undici.Request(input.url, input as never)
    ) as string
    // A caller that follows redirects says so, and judges them.
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

  #secure(): Promise<SecureContext> {
    this.#securing ??= import('node:tls').then((tls) => {
      const ca = [...new Set([...systemAuthorities(tls), ...this.#way.authorities])]
      // Made once: reading that many certificates for each connection would cost more than the connection.
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
    const proxy = this.#way.proxyFor(url.href).then(firstUsable)
    proxy.catch(() => this.#decisions.delete(url.origin))
    this.#decisions.set(url.origin, { at: now, proxy })
    return proxy
  }
}

/** Certificates of Node, of its environment, and of the system's administrator. */
function systemAuthorities(tls: typeof import('node:tls')): readonly string[] {
  try {
    return [...tls.getCACertificates('default'), ...tls.getCACertificates('system')]
  } catch {
    // Not every runtime can read the system's store; without it the well-known authorities still serve.
    return tls.rootCertificates
  }
}

/** Unencrypted servers on this computer are never asked for through a proxy. */
function isPlain(url: URL): boolean {
  return url.protocol === 'http:' && isLoopbackHost(url.hostname)
}

async function perform(network: Network, request: HttpRequest, clock: Clock): Promise<HttpResponse> {
  const { method, headers, body, signal } = request
  let url = network.checked(request.url)
  for (let redirects = 0; ; redirects++) {
    signal.throwIfAborted()
    let response: HttpResponse
    try {
      const dispatcher = network.known(url) ?? (await network.dispatcherFor(url))
      const asked = { origin: url.origin, path: `${url.pathname}${url.search}`, method, body: body ?? null }
      const said = { 'user-agent': 'Parley', ...headers, 'accept-encoding': 'identity' }
      response = await exchange(dispatcher, { ...asked, headers: said }, signal)
    } catch (error) {
      signal.throwIfAborted()
      // The first error is told, without a proxy's name.
      throw networkError(error, url, await network.proxyOf(url).catch(() => undefined))
    }
    const target = redirectOf(response, method)
    if (target === undefined) return response.headers['content-encoding'] === undefined ? response : decompressed(response)
    discard(response, clock)
    url = followed(target, url, redirects)
  }
}

function redirectOf(response: HttpResponse, method: string): string | undefined {
  // 301 and 302 turn a POST into a GET for historical reasons; such an answer is passed on as it is.
  const keeps = response.status === 307 || response.status === 308
  const reads = method === 'GET' && (response.status === 301 || response.status === 302 || response.status === 303)
  return keeps || reads ? response.headers.location : undefined
}

/** Our headers are for one origin only (TRAN-70). */
function followed(target: string, from: URL, redirects: number): URL {
  if (redirects >= MAX_REDIRECTS) throw new TransportError('refused', `The server at ${from.origin} redirects without end.`)
  const url = URL.parse(target, from.href) ?? undefined
  if (url?.origin === from.origin) return url
  const where = url ? `${url.origin}${url.pathname}` : `“${target.slice(0, 200)}”`
  throw new TransportError('refused', `The server redirects to ${where}, another place. If you trust it, enter that address.`)
}

/** We ask for no compression; what comes compressed all the same is unpacked as it is read, so bounds apply to what it becomes. */
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
    throw new TransportError(
      'malformed',
      `The server sent a compression that nobody asked for: ${encoding.slice(0, 50)}.`,
      status,
    )
  }
  return { ...response, body: through(response.body, make()) }
}

/** Each ends with the other; the reader of what is unpacked hears of a failure. */
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
