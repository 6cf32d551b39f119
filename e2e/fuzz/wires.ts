import { Readable } from 'node:stream'
import { type Transport, TransportError, type TransportSink } from '../../src-main/protocol/peer/transport.ts'
import { readInTurns } from '../../src-main/transports/fair-turns.ts'
import { connectHttp } from '../../src-main/transports/http/connect-http.ts'
import type { HttpFetch, HttpRequest, HttpResponse } from '../../src-main/transports/http/http-fetch.ts'
import { HttpSse } from '../../src-main/transports/http/http-sse.ts'
import { StreamableHttp } from '../../src-main/transports/http/streamable-http.ts'
import { JsonInTurns } from '../../src-main/transports/json-in-turns.ts'
import { LineReader } from '../../src-main/transports/line-reader.ts'
import type { Clock } from '../../src-shared/base/clock.ts'
import { pieces } from './hostile-json.ts'
import type { Random } from './random.ts'

/** One way for messages to travel: the transport of the client, and the server's hand on the other end. */
export interface Wire {
  readonly transport: Transport
  /** Says a message, well or badly framed; false when there is nothing to say it on. */
  say(text: string): boolean
  /** The server is gone. */
  hangUp(): void
}

export interface WireParts {
  readonly random: Random
  readonly clock: Clock
  readonly maxMessageBytes: number
  /** The answer to a request that was just posted; undefined when the server keeps it for later. */
  readonly answer: (body: string) => string | undefined
}

export const WIRES = { direct, lines, 'streamable-http': streamableHttp, 'http-sse': httpSse } as const
export type WireKind = keyof typeof WIRES

/** Nothing between the peer and the server but JSON. */
function direct({ random }: WireParts): Wire {
  let sink: TransportSink | undefined
  const hangUp = () => {
    sink?.closed()
    sink = undefined
  }
  return {
    transport: {
      kind: random.pick(['stdio', 'linked', 'streamable-http', 'http-sse'] as const),
      async start(given) {
        sink = given
      },
      async send(): Promise<void> {
        if (!sink || random.chance(0.01)) throw new TransportError('closed', 'not sent')
      },
      async close() {
        hangUp()
      },
    },
    say(text) {
      const value = parsed(text)
      if (value !== undefined) sink?.message(value.json)
      return sink !== undefined
    },
    hangUp,
  }
}

/** Bytes above which a line is read in turns of its own: few enough that it happens. */
const LARGE_LINE = 256

function parsed(text: string): { readonly json: unknown } | undefined {
  return attempted(() => JSON.parse(text))
}

function attempted(read: () => unknown): { readonly json: unknown } | undefined {
  try {
    return { json: read() }
  } catch {
    return undefined
  }
}

/** Lines over a pipe, cut anywhere, with the reader and the turns that stdio has; no process. */
function lines({ random, maxMessageBytes }: WireParts): Wire {
  const pipe = new Readable({ read() {} })
  const reader = new LineReader(maxMessageBytes, 'newline', LARGE_LINE)
  let large: JsonInTurns | undefined
  let sink: TransportSink | undefined
  const over = () => {
    pipe.destroy()
    sink?.closed()
    sink = undefined
  }
  const hear = (value: { readonly json: unknown } | undefined) => {
    if (value) sink?.message(value.json)
    else sink?.remark('no JSON')
  }
  const goOn = (json: JsonInTurns) => {
    if (!json.step()) return
    large = undefined
    hear(attempted(() => json.json()))
  }
  const transport: Transport = {
    kind: 'stdio',
    async start(given) {
      sink = given
      readInTurns(pipe, {
        take: (chunk) => reader.push(chunk),
        step: () => {
          if (large) {
            goOn(large)
            return 'rest'
          }
          const line = reader.next()
          if (line && 'tooLarge' in line) sink?.lost(new TransportError('too-large', 'skipped'), line.id)
          else if (line && 'pieces' in line) large = new JsonInTurns(line.pieces, LARGE_LINE / 4)
          else if (line) hear(parsed(line.text))
          return line !== undefined
        },
        end: over,
      })
    },
    async send(): Promise<void> {
      if (!sink) throw new TransportError('closed', 'not sent')
    },
    async close() {
      over()
    },
  }
  return {
    transport,
    say(text) {
      const end = random.chance(0.97) ? random.pick(['\n', '\r\n', '\n\n']) : ''
      for (const piece of pieces(Buffer.from(text + end), random, 0.02)) if (!pipe.destroyed) pipe.push(piece)
      return !pipe.destroyed
    },
    hangUp: () => pipe.destroy(),
  }
}

/** Server-sent events, well and badly formed. */
function event(text: string, random: Random, name = 'message'): string {
  const brk = random.pick(['\n', '\n', '\r\n', '\r'])
  const id = random.chance(0.2) ? `id: ${random.pick(['1', '2', '', 'é', 'x'.repeat(2000), '\u0000'])}${brk}` : ''
  const retry = random.chance(0.05) ? `retry: ${random.pick(['10', '-1', 'x', '99999999999'])}${brk}` : ''
  const noise = random.chance(0.1) ? random.pick([`: comment${brk}`, `data${brk}`, `nonsense: 1${brk}`, '\ufeff', brk]) : ''
  const named = random.chance(0.5) || name !== 'message' ? `event: ${random.chance(0.03) ? 'other' : name}${brk}` : ''
  const data = random.chance(0.1) ? text.replaceAll(',', `,${brk}data: `) : text
  return `${noise}${named}${id}${retry}data: ${data}${random.chance(0.97) ? brk + brk : brk}`
}

/** A body that the server goes on writing. */
class Body {
  readonly stream = new Readable({ read() {} })
  readonly #random: Random

  constructor(random: Random, signal: AbortSignal) {
    this.#random = random
    this.stream.on('error', () => {})
    signal.addEventListener('abort', () => this.stream.destroy(), { once: true })
  }

  write(text: string, damage = 0.01): this {
    for (const piece of pieces(Buffer.from(text), this.#random, damage)) if (!this.stream.destroyed) this.stream.push(piece)
    return this
  }

  end(): this {
    if (this.stream.destroyed) return this
    if (this.#random.chance(0.05)) this.stream.destroy(new Error('reset'))
    else this.stream.push(null)
    return this
  }
}

const NOISE = ['text/html', '', 'application/json; charset=utf-8', 'TEXT/EVENT-STREAM', 'application/octet-stream']

class Server {
  readonly open = new Set<Body>()
  readonly #parts: WireParts

  constructor(parts: WireParts) {
    this.#parts = parts
  }

  readonly reply = (
    request: HttpRequest,
    status: number,
    type: string,
    session = false,
  ): { response: HttpResponse; body: Body } => {
    const { random } = this.#parts
    const body = new Body(random, request.signal)
    const id = random.pick(['s1', 's1', 's1', 's2', 'with space'])
    const headers = {
      ...((random.chance(0.97) ? type : random.pick(NOISE)) !== '' && {
        'content-type': random.chance(0.97) ? type : random.pick(NOISE),
      }),
      ...(session && random.chance(0.8) && { 'mcp-session-id': id }),
    }
    return { response: { status, headers, body: body.stream }, body }
  }

  stream(body: Body): void {
    this.open.add(body)
    body.stream.once('close', () => this.open.delete(body))
  }

  say(text: string): boolean {
    const { random } = this.#parts
    const bodies = [...this.open]
    if (bodies.length === 0) return false
    random.pick(bodies).write(event(text, random))
    return true
  }

  /** Ends a stream now and then, as proxies do. */
  breakOff(): void {
    const { random } = this.#parts
    if (this.open.size > 0 && random.chance(0.03)) random.pick([...this.open]).end()
  }

  hangUp(): void {
    for (const body of [...this.open]) body.end()
  }
}

/** Statuses that are no success, now and then. */
function oddStatus(random: Random): number | undefined {
  return random.chance(0.02) ? random.pick([100, 202, 204, 301, 400, 401, 403, 404, 405, 406, 429, 500, 503]) : undefined
}

const URL_OF_SERVER = 'http://127.0.0.1:1/mcp'

function streamableHttp(parts: WireParts): Wire {
  const { random, clock, maxMessageBytes } = parts
  const server = new Server(parts)
  const fetch: HttpFetch = async (request) => {
    await null
    request.signal.throwIfAborted()
    if (random.chance(0.01)) throw new TransportError('unreachable', 'no way')
    if (request.method === 'DELETE') return finished(server, request, random.pick([200, 404, 405]), '')
    const status = oddStatus(random)
    if (status !== undefined) return finished(server, request, status, '{"jsonrpc":"2.0","error":{"code":-1,"message":"x"}}')
    if (request.method === 'GET') {
      if (random.chance(0.3)) return finished(server, request, 405, '')
      const { response, body } = server.reply(request, 200, 'text/event-stream')
      server.stream(body)
      return response
    }
    const text = request.body ?? ''
    if (!('method' in JSON.parse(text)) || !('id' in JSON.parse(text)))
      return finished(server, request, random.pick([200, 202, 204]), '')
    const answer = parts.answer(text)
    const first = text.includes('"initialize"')
    if (answer !== undefined && random.chance(0.5)) {
      const { response, body } = server.reply(request, 200, 'application/json', first)
      body.write(answer).end()
      return response
    }
    const { response, body } = server.reply(request, 200, 'text/event-stream', first)
    server.stream(body)
    if (answer !== undefined) body.write(event(answer, random))
    if (answer !== undefined && random.chance(0.7)) body.end()
    return response
  }
  const options = httpOptions(fetch, clock, maxMessageBytes)
  const transport = random.chance(0.3) ? connectHttp(options) : new StreamableHttp(options)
  const say = (text: string) => {
    server.breakOff()
    return server.say(text)
  }
  return { transport, say, hangUp: () => server.hangUp() }
}

function finished(server: Server, request: HttpRequest, status: number, text: string): HttpResponse {
  const { response, body } = server.reply(request, status, text === '' ? '' : 'application/json')
  body.write(text).end()
  return response
}

function httpSse(parts: WireParts): Wire {
  const { random, clock, maxMessageBytes } = parts
  const server = new Server(parts)
  const fetch: HttpFetch = async (request) => {
    await null
    request.signal.throwIfAborted()
    if (random.chance(0.01)) throw new TransportError('unreachable', 'no way')
    if (request.method === 'GET') {
      const { response, body } = server.reply(request, 200, 'text/event-stream')
      server.stream(body)
      const endpoint = random.chance(0.95) ? '/messages?s=1' : random.pick(['https://elsewhere.test/', '', 'http://[', '../x'])
      body.write(`event: endpoint\ndata: ${endpoint}\n\n`, 0)
      return response
    }
    const answer = parts.answer(request.body ?? '')
    if (answer !== undefined) server.say(answer)
    return finished(server, request, oddStatus(random) ?? 202, '')
  }
  const transport = new HttpSse(httpOptions(fetch, clock, maxMessageBytes))
  return { transport, say: (text) => server.say(text), hangUp: () => server.hangUp() }
}

function httpOptions(fetch: HttpFetch, clock: Clock, maxMessageBytes: number) {
  const headers = async () => ({ 'x-test': '1' })
  return { url: URL_OF_SERVER, headers, fetch, limits: { maxMessageBytes }, clock, signal: new AbortController().signal }
}
