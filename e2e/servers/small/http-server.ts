import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A small Streamable HTTP server with sessions, by hand, that can be made to forget them. */
export class HttpServer {
  readonly #server: Server
  readonly #methods: string[] = []
  #session = ''
  /** Answers everything with this status while it is set. */
  status: number | undefined
  /** The one path at which it is, while that is set; it is everywhere otherwise. */
  path: string | undefined
  /** The required value of the header `x-api-key`, while that is set. */
  key: string | undefined
  /** The status that refuses GET. */
  getStatus = 405
  /** In how many sessions the first request after the handshake finds the session forgotten. */
  forgetful = 0

  private constructor() {
    this.#server = createServer(async (request, response) => {
      if (this.status !== undefined) return void response.writeHead(this.status).end('not now')
      if (this.path !== undefined && request.url !== this.path) return void response.writeHead(404).end('nothing here')
      if (this.key !== undefined && request.headers['x-api-key'] !== this.key) return void response.writeHead(403).end('bad key')
      if (request.method === 'DELETE') return void response.writeHead(200).end()
      if (request.method !== 'POST') return void response.writeHead(this.getStatus).end(`Cannot ${request.method} ${request.url}`)
      const message = JSON.parse(await text(request)) as { id?: number; method: string }
      this.#methods.push(message.method)
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      if (message.method === 'initialize') {
        this.#session = randomUUID()
        headers['mcp-session-id'] = this.#session
      } else if (request.headers['mcp-session-id'] === undefined) return void response.writeHead(400).end('no session')
      else if (request.headers['mcp-session-id'] !== this.#session) return void response.writeHead(404).end('no such session')
      else if (message.id !== undefined && this.forgetful > 0) {
        this.forgetful -= 1
        return void response.writeHead(404).end('no such session')
      }
      if (message.id === undefined) return void response.writeHead(202).end()
      response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message.method) }))
    })
  }

  static async listen(): Promise<HttpServer> {
    const server = new HttpServer()
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`
  }

  get session(): string {
    return this.#session
  }

  /** The number of requests with a method. */
  count(method: string): number {
    return this.#methods.filter((name) => name === method).length
  }

  forgetSession(): void {
    this.#session = 'nobody'
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}

function answer(method: string): object {
  if (method === 'initialize') {
    return { protocolVersion: '2025-06-18', serverInfo: { name: 'far', version: '1' }, capabilities: { tools: {} } }
  }
  if (method === 'tools/list') return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }
  return { content: [{ type: 'text', text: 'hello from afar' }] }
}
