import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A small server of the pair of endpoints of 2024-11-05, by hand, that notes how it was reached. */
export class SseServer {
  /** `GET /sse`, `POST /messages`, in order. */
  readonly reached: string[] = []
  readonly #server: Server
  #stream: ServerResponse | undefined

  private constructor() {
    this.#server = createServer(async (request, response) => {
      this.reached.push(`${request.method} ${request.url}`)
      if (request.method === 'GET') {
        this.#stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('event: endpoint\ndata: /messages\n\n')
      } else if (request.url === '/messages') {
        const { id, method } = JSON.parse(await text(request)) as { id?: number; method: string }
        response.writeHead(202).end()
        if (id === undefined) return
        const result = method === 'initialize' ? INTRODUCTION : {}
        this.#stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
      } else response.writeHead(405).end()
    })
  }

  static async listen(): Promise<SseServer> {
    const server = new SseServer()
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/sse`
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}

const INTRODUCTION = { protocolVersion: '2024-11-05', serverInfo: { name: 'old', version: '1' }, capabilities: {} }
