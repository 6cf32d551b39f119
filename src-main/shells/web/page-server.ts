import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Clock, every } from '../../../src-shared/base/clock.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { jsonIn } from '../../../src-shared/base/parse-json.ts'
import { viewOrigin } from '../../../src-shared/contract/apps.ts'
import type { HostChannel } from '../../../src-shared/contract/channel.ts'
import { type AppAddress, type AppPageSource, appAddress, appHeaders, MAX_REPORT, REPORT_HEADERS } from '../app-pages.ts'
import { type BlobLinks, blobHeaders, type LinkedBlob } from '../blob-links.ts'
import { partOf } from '../byte-range.ts'
import { GUARD_HEADERS } from '../content-policy.ts'
import type { Sessions } from './sessions.ts'
import { websocketChannel } from './websocket-channel.ts'

const MAX_FRAME = 1024 * 1024
const MAX_BODY = 1024
const MAX_SOCKETS = 32
const PROTOCOL = 'parley.1'
const SESSION = /^session\.([\w-]{20,100})$/

/** The files of the page: from the built folder, or Vite during development. */
export interface PageFiles {
  answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void>
  /** True for a socket of Vite. */
  ownsSocket?(request: IncomingMessage): boolean
}

interface PageServerParts {
  readonly clock: Clock
  readonly sessions: Sessions
  readonly links: BlobLinks
  readonly readBlob: (blob: string) => Promise<Uint8Array>
  /** The path of content that is too large for memory. */
  readonly fileOf?: (blob: string) => string | undefined
  /** Pages of servers' views. */
  readonly apps: AppPageSource
  /** Serves one page; returns its cleanup. */
  readonly attach: (channel: HostChannel) => () => void
  readonly files: (server: Server, origin: () => string) => Promise<PageFiles>
  /** 0 for any free one. */
  readonly port: number
}

/** The HTTP server of the web shell: page, session, socket and blobs, on 127.0.0.1 for our own origin alone. */
export class PageServer {
  readonly #parts: PageServerParts
  readonly #http = this.#server()
  /** Browsers look for names of views at ::1 first, where no other program may answer for us. */
  readonly #views = this.#server()
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME, handleProtocols: () => PROTOCOL })
  #files: PageFiles | undefined

  constructor(parts: PageServerParts) {
    this.#parts = parts
  }

  /** Rejects with an Error for the person when the port is not available. */
  async listen(): Promise<void> {
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
    this.#files = await this.#parts.files(this.#http, () => this.origin)
    await listen(this.#http, this.#parts.port, '127.0.0.1')
    await listen(this.#views, (this.#http.address() as AddressInfo).port, '::1').catch((error) => {
      if (error instanceof PortTaken) throw error // Any other failure: there is no ::1.
    })
  }

  #server(): Server {
    const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
      this.#answer(request, response).catch(() => {
        if (!response.headersSent) refuse(response, 500)
        else response.destroy()
      })
    })
    server.maxConnections = 256
    return server
  }

  get origin(): string {
    return `http://${this.#host}`
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#sockets.close()
    for (const server of [this.#http, this.#views]) {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    }
  }

  get #host(): string {
    return `127.0.0.1:${(this.#http.address() as AddressInfo | null)?.port ?? 0}`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(GUARD_HEADERS)) response.setHeader(name, value)
    const url = parseUrl(request.url, this.origin)
    if (!url) return refuse(response, 400)
    const asked = `http://${request.headers.host}`
    const app = appAddress(url.pathname)
    if (app && asked === viewOrigin(app.view, this.origin)) return this.#app(app, request, response)
    // Stops DNS rebinding: another name that resolves to 127.0.0.1 is a different origin.
    if (asked !== this.origin) return refuse(response, 421)
    if (app) return this.#app(app, request, response)
    if (url.pathname === '/session') return this.#session(request, response)
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405)
    if (url.pathname.startsWith('/blob/')) return this.#blob(url, response)
    await this.#files?.answer(url.pathname, request, response)
  }

  async #session(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return refuse(response, 405)
    if (request.headers.origin !== this.origin) return refuse(response, 403)
    if (request.headers['content-type'] !== 'application/json') return refuse(response, 415)
    const body = await readJson(request)
    const { token, secret } = isObject(body) ? body : {}
    const given = typeof token === 'string' && typeof secret === 'string' && this.#parts.sessions.exchange(token, secret)
    if (!given) return refuse(response, 401)
    response.writeHead(204, { 'cache-control': 'no-store' })
    response.end()
  }

  /** A view's page, or a report of what its policy blocked, which comes without our origin. */
  async #app({ view, reports }: AppAddress, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== (reports ? 'POST' : 'GET')) return refuse(response, 404)
    if (reports) {
      const body = await readText(request, MAX_REPORT)
      if (body !== undefined) this.#parts.apps.report(view, body)
      response.writeHead(204, REPORT_HEADERS).end()
      return
    }
    const page = await this.#parts.apps.page(view)
    if (!page) return refuse(response, 404)
    response.writeHead(200, appHeaders(page.policy, this.origin))
    response.end(page.bytes)
  }

  async #blob(url: URL, response: ServerResponse): Promise<void> {
    const linked = this.#parts.links.check(url)
    if (!linked) return refuse(response, 404)
    const path = this.#parts.fileOf?.(linked.blob)
    if (path !== undefined) return this.#file(path, linked, response)
    const bytes = await this.#parts.readBlob(linked.blob).catch(() => undefined) // Answered as not found.
    if (!bytes) return refuse(response, 404)
    const part = partOf(bytes, response.req.headers.range)
    response.writeHead(part.status, { ...blobHeaders(linked), ...part.headers })
    response.end(response.req.method === 'HEAD' ? undefined : part.bytes)
  }

  async #file(path: string, linked: LinkedBlob, response: ServerResponse): Promise<void> {
    const { size } = await stat(path)
    response.writeHead(200, { ...blobHeaders(linked), 'content-length': size, 'cache-control': 'no-store' })
    if (response.req.method === 'HEAD') response.end()
    else await pipeline(createReadStream(path), response)
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    socket.on('error', () => socket.destroy())
    const { host, origin } = request.headers
    // A browser always sends Origin, so a program without one is not our page.
    if (host !== this.#host || origin !== this.origin) return drop(socket, '403 Forbidden')
    if (this.#files?.ownsSocket?.(request)) return
    if (request.url !== '/channel') return drop(socket, '404 Not Found')
    if (this.#sockets.clients.size >= MAX_SOCKETS) return drop(socket, '503 Service Unavailable')
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
    if (!offered.includes(PROTOCOL)) return drop(socket, '400 Bad Request')
    const session = offered.map((name) => SESSION.exec(name)?.[1]).find((found) => found !== undefined)
    if (session === undefined || !this.#parts.sessions.has(session)) return drop(socket, '401 Unauthorized')
    this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#open(opened))
  }

  #open(socket: WebSocket): void {
    socket.on('error', () => socket.terminate())
    const detach = this.#parts.attach(websocketChannel(socket))
    const stopPinging = this.#endWhenSilent(socket)
    socket.once('close', () => {
      stopPinging()
      detach()
    })
  }

  /** A sleeping machine or a broken tunnel leaves a socket that never closes. */
  #endWhenSilent(socket: WebSocket): () => void {
    let answered = true
    socket.on('pong', () => {
      answered = true
    })
    return every(this.#parts.clock, 30_000, () => {
      if (!answered) return socket.terminate()
      answered = false
      socket.ping()
    })
  }
}

class PortTaken extends Error {}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, port)))
    server.listen(port, host, () => resolve())
  })
}

function listenError(error: NodeJS.ErrnoException, port: number): Error {
  const other = 'choose another with --port, or leave --port out for any free one'
  if (error.code === 'EADDRINUSE') return new PortTaken(`port ${port} is taken by another program: ${other}`)
  if (error.code === 'EACCES') return new Error(`port ${port} is reserved: ${other}`)
  return error
}

export function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end()
}

function drop(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function parseUrl(target: string | undefined, origin: string): URL | undefined {
  // Only the origin form: no absolute targets, no `//host` that a URL parser would read as another host.
  if (!target?.startsWith('/') || target.startsWith('//')) return undefined
  return URL.parse(target, origin) ?? undefined
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readText(request, MAX_BODY)
  return body === undefined ? undefined : jsonIn(body)
}

/** Undefined for a longer body. */
async function readText(request: IncomingMessage, most: number): Promise<string | undefined> {
  let body = ''
  for await (const chunk of request) {
    body += String(chunk)
    if (body.length > most) return undefined
  }
  return body
}
