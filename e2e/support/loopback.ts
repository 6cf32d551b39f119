import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A request as the server saw it. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body, read as JSON; an empty object without one. */
  readonly body: { readonly id?: string | number; readonly method?: string; readonly params?: Record<string, unknown> }
}

export type Handle = (request: Seen, response: ServerResponse) => void

/** A hand-written HTTP server on loopback that remembers what it was asked. */
export class Loopback {
  readonly seen: Seen[] = []
  readonly sockets = new Set<Socket>()
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async serve(handle: Handle, make: typeof createServer = createServer): Promise<Loopback> {
    const server = make((request, response) => {
      const chunks: Buffer[] = []
      response.on('error', () => {})
      request.on('error', () => {})
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { method = '', url = '', headers } = request
        const seen: Seen = { method, path: url, headers, text, body: text === '' ? {} : JSON.parse(text) }
        loopback.seen.push(seen)
        handle(seen, response)
      })
    })
    const loopback = new Loopback(server)
    server.on('connection', (socket: Socket) => {
      loopback.sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => loopback.sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return loopback
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Requests with a method: an HTTP one, or one of MCP. */
  of(method: string): readonly Seen[] {
    return this.seen.filter((seen) => seen.method === method || seen.body.method === method)
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(() => resolve(undefined)))
  }
}

export function json(response: ServerResponse, value: unknown, headers: Record<string, string> = {}, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

export function eventStream(response: ServerResponse, headers: Record<string, string> = {}): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
  response.flushHeaders()
  return response
}

export function event(value: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
}

export function reply(id: unknown, result: unknown = {}): unknown {
  return { jsonrpc: '2.0', id, result }
}

export function initializeResult(protocolVersion = '2025-11-25') {
  return { protocolVersion, capabilities: {}, serverInfo: { name: 'loopback', version: '1' } }
}
