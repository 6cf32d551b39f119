import { isObject } from '../../../src-shared/base/json.ts'
import { type SendOptions, type Transport, TransportError, type TransportSink } from '../../protocol/peer/transport.ts'
import type { JsonRpcMessage, JsonRpcRequest, RequestId } from '../../protocol/shapes/json-rpc.ts'
import type { ReceivedText } from '../json-in-turns.ts'
import { type Exchange, ExchangeArrivals } from './arrivals.ts'
import { EventStream } from './event-stream.ts'
import { checkedUrl, type HttpResponse, mediaType, succeeded } from './http-fetch.ts'
import {
  ACCEPT_REPLY,
  ACCEPT_STREAM,
  AFTER_REPLY_MS,
  asTransportError,
  type HttpOptions,
  HttpSession,
  PROMPT_MS,
} from './http-session.ts'
import { followStream, openStream, sessionLost } from './resumption.ts'

/** Milliseconds that a cancelled request's stream stays open, for the notification to the server (TRAN-36). */
const CANCEL_GRACE_MS = 500
const DELETE_MS = 2_000

/** Streamable HTTP: a POST for each message, its reply as JSON or as a stream that can be resumed (2025-03-26 and later). */
export class StreamableHttp implements Transport {
  readonly kind = 'streamable-http'
  readonly #session: HttpSession
  readonly #arrivals: ExchangeArrivals
  /** The sending of `initialized`, which no later message may overtake (TRAN-72). */
  #initializing: Promise<void> | undefined
  /** The server has accepted a message with the version header. */
  #versionAccepted = false
  #listening = false
  #initialized = false
  /** The session is that of an earlier connection. */
  #resumed = false
  #closing: Promise<void> | undefined

  constructor(options: HttpOptions) {
    checkedUrl(options.url)
    this.#session = new HttpSession(options)
    this.#arrivals = new ExchangeArrivals(options, { close: () => this.close() })
  }

  async start(sink: TransportSink): Promise<void> {
    this.#arrivals.start(sink)
    if (this.#session.options.signal.aborted) await this.close()
  }

  async send(message: JsonRpcMessage, options: SendOptions = {}): Promise<void> {
    const method = 'method' in message ? message.method : undefined
    // Replies may overtake `initialized`: the server might wait for one first.
    if (method !== undefined && this.#initializing) await this.#initializing
    if (!this.#arrivals.open) throw new TransportError('closed', 'The connection is closed: the message was not sent.')
    const body = JSON.stringify(message)
    this.#session.options.onTraffic?.({ direction: 'sent', text: body })
    if (method === 'initialize' && isRequest(message) && (await this.#resume(message.id))) return
    if (method === 'notifications/initialized' && this.#resumed) return this.#begin()
    if (isRequest(message)) return this.#ask(message, body, options.controller?.signal)
    const sent = this.#post(message, body, method ?? 'the reply')
    if (method === 'notifications/initialized') {
      this.#initializing = sent.catch(() => {}) // The caller gets the error below.
      await sent
      return this.#begin()
    }
    if (method !== 'notifications/cancelled') return sent
    try {
      await sent
    } finally {
      // Closing the stream does not cancel, so it comes after the notification (TRAN-35, TRAN-36).
      const cancelled = 'params' in message ? message.params?.requestId : undefined
      if (typeof cancelled === 'string' || typeof cancelled === 'number')
        this.#arrivals.exchanges.get(cancelled)?.controller.abort()
    }
  }

  #begin(): void {
    this.#initialized = true
    this.#listen()
  }

  /** Goes on with the session of an earlier connection, if there is one and a ping shows that the server still knows it (TASK-20). */
  async #resume(id: RequestId): Promise<boolean> {
    const session = this.#session
    const { resumed } = session.options.session ?? {}
    const version = resumed?.introduction.protocolVersion
    if (!resumed || typeof version !== 'string') return false
    session.id = resumed.id
    session.protocolVersion = version
    const ping = { jsonrpc: '2.0' as const, id: 'resume', method: 'ping' }
    const response = await session
      .within(PROMPT_MS, this.#arrivals.life, (signal) =>
        session.request({ method: 'POST', accept: ACCEPT_REPLY, body: JSON.stringify(ping), message: ping, aside: true, signal }),
      )
      .catch((error: unknown) => Promise.reject(asTransportError(error)))
    if (succeeded(response)) {
      session.discard(response)
      this.#resumed = true
      this.#versionAccepted = true
      queueMicrotask(() => this.#arrivals.deliver({ jsonrpc: '2.0', id, result: resumed.introduction }, { requestId: id }))
      return true
    }
    session.id = undefined
    session.protocolVersion = undefined
    if (response.status !== 404 && response.status !== 400)
      throw (await session.refusal(response, 'ping', this.#arrivals.life)).error
    session.discard(response)
    session.options.session?.lost()
    return false
  }

  negotiated(protocolVersion: string): void {
    this.#session.protocolVersion = protocolVersion
    this.#listen()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const session = this.#session
    this.#arrivals.mute()
    if (session.id !== undefined && !this.#arrivals.over && !session.options.session?.held) {
      // A server may refuse to end a session (405) (TRAN-56).
      await session
        .within(DELETE_MS, this.#arrivals.life, async (signal) => {
          session.discard(await session.request({ method: 'DELETE', accept: ACCEPT_REPLY, aside: true, signal }))
        })
        .catch(() => {}) // The session ends here all the same.
    }
    this.#arrivals.end(undefined)
    await this.#arrivals.ended()
  }

  /** Sends a notification or a reply; any 2xx accepts it (TRAN-27). */
  async #post(message: JsonRpcMessage, body: string, what: string): Promise<void> {
    const session = this.#session
    const response = await session
      .within(PROMPT_MS, this.#arrivals.life, (signal) =>
        session.request({ method: 'POST', accept: ACCEPT_REPLY, body, message, aside: true, signal }),
      )
      .catch((error: unknown) => Promise.reject(asTransportError(error)))
    if (!succeeded(response)) throw await this.#refused(response, what, undefined)
    this.#versionAccepted ||= session.protocolVersion !== undefined
    session.discard(response)
  }

  async #ask(message: JsonRpcRequest, body: string, given: AbortSignal | undefined): Promise<void> {
    const { clock } = this.#session.options
    const controller = new AbortController()
    const exchange: Exchange = { id: message.id, method: message.method, controller, answered: false }
    this.#arrivals.exchanges.set(message.id, exchange)
    let cancelGrace = () => {}
    const giveUp = () => {
      cancelGrace = clock.after(CANCEL_GRACE_MS, () => controller.abort(given?.reason))
    }
    given?.addEventListener('abort', giveUp, { once: true })
    if (given?.aborted) giveUp()
    const done = () => {
      cancelGrace()
      given?.removeEventListener('abort', giveUp)
      this.#arrivals.exchanges.delete(message.id)
    }
    let response: HttpResponse
    try {
      const { signal } = controller
      response = await this.#session.request({ method: 'POST', accept: ACCEPT_REPLY, body, message, signal })
      const refused = succeeded(response)
        ? this.#unusable(response, message)
        : await this.#refused(response, message.method, exchange)
      if (refused) throw refused
      if (exchange.answered) return done()
      if (message.method === 'initialize') this.#session.begin(response)
      this.#versionAccepted ||= this.#session.protocolVersion !== undefined
    } catch (error) {
      done()
      throw asTransportError(error)
    }
    const streamed = mediaType(response) === ACCEPT_STREAM
    const reading = streamed
      ? this.#followReply(response, exchange)
      : this.#arrivals.readReply(response, exchange, (reply) => this.#receive(reply, exchange))
    this.#arrivals.add(reading, done)
  }

  /** The error for an answer that is neither JSON nor a stream (TRAN-31). */
  #unusable(response: HttpResponse, message: JsonRpcRequest): TransportError | undefined {
    const type = mediaType(response)
    if (response.status === 200 && (type === 'application/json' || type === ACCEPT_STREAM)) {
      const id = response.headers['mcp-session-id']
      if (message.method !== 'initialize' && id !== undefined && id !== this.#session.id) {
        this.#arrivals.remark('The server named another session in the middle of this one; it was ignored.')
      }
      return undefined
    }
    return this.#session.noReply(response, message.method)
  }

  /** The error of a refusal; undefined when its body is the reply to this request. */
  async #refused(response: HttpResponse, doing: string, exchange: Exchange | undefined): Promise<TransportError | undefined> {
    const session = this.#session
    if (response.status === 404 && session.id !== undefined) {
      session.discard(response)
      return this.#loseSession(404)
    }
    const { error, said } = await session.refusal(response, doing, this.#arrivals.life)
    if (exchange && said && said.id === exchange.id) {
      exchange.answered = true
      this.#arrivals.deliver(said, { requestId: exchange.id })
      return undefined
    }
    if (response.status !== 400 || session.protocolVersion === undefined) return error
    if (!this.#versionAccepted) {
      // The first message with the version is refused, so all later ones would be (TRAN-61).
      const text = `The server does not accept MCP-Protocol-Version ${session.protocolVersion}, which it had agreed to. ${error.message}`
      const refused = new TransportError('refused', text, error.details)
      this.#arrivals.end(refused)
      return refused
    }
    // An error without an id means that the server no longer knows our session (TRAN-57).
    const unknown = said && (said.id === undefined || said.id === null)
    return exchange && unknown && session.id !== undefined ? this.#loseSession(400) : error
  }

  #loseSession(status: number): TransportError {
    const error = sessionLost(status)
    this.#end(error)
    return error
  }

  #end(error: TransportError): void {
    if (error.code === 'session-lost') this.#session.options.session?.lost()
    this.#arrivals.end(error)
  }

  /** Reads a stream up to the reply, and for a while after it. */
  async #followReply(first: HttpResponse, exchange: Exchange): Promise<void> {
    let afterReply: (() => void) | undefined
    const stream = this.#stream(exchange, () => {
      afterReply ??= this.#session.options.clock.after(AFTER_REPLY_MS, () => exchange.controller.abort())
    })
    const { signal } = exchange.controller
    const error = await followStream({
      session: this.#session,
      stream,
      first: { response: first },
      done: () => exchange.answered,
      isReply: true,
      onWait: (ms) => this.#arrivals.waiting(exchange, ms),
      signal,
    })
    afterReply?.()
    if (error?.code === 'session-lost') this.#end(error)
    else if (error) this.#arrivals.lose(exchange, error)
  }

  /** Opens the stream of the server's own messages after initialization (TRAN-38). */
  #listen(): void {
    if (this.#listening || !this.#initialized || this.#session.protocolVersion === undefined || !this.#arrivals.open) return
    this.#listening = true
    this.#arrivals.add(
      this.#followServer().catch(() => {}), // Aborted: the connection has ended.
      () => {},
    )
  }

  async #followServer(): Promise<void> {
    const signal = this.#arrivals.life
    const session = this.#session
    const first = await openStream(session, undefined, signal)
    const stream = this.#stream(undefined, () => {})
    const error = await followStream({ session, stream, first, done: () => false, isReply: false, signal })
    if (error?.code === 'session-lost' || error?.code === 'unreachable') this.#end(error)
    // 405 means that there is no such stream, which is optional (TRAN-40).
    else if (error && error.details.status !== 405) this.#arrivals.remark(error.message)
  }

  #stream(exchange: Exchange | undefined, onReply: () => void): EventStream {
    return new EventStream(this.#session.options.limits.maxMessageBytes, {
      event: (name, data) => {
        if (name !== 'message') {
          this.#arrivals.remark(`An event named “${name.slice(0, 100)}” was ignored.`)
          return
        }
        this.#arrivals.event(data, () => this.#receive(data, exchange))
        if (exchange?.answered) onReply()
      },
      tooLarge: (id) => {
        if (exchange && id === exchange.id) exchange.answered = true
        this.#arrivals.tooLarge(id)
      },
    })
  }

  /** Throws when it is not JSON. */
  #receive(received: ReceivedText, exchange: Exchange | undefined): void {
    const value = this.#arrivals.read(received)
    if (exchange?.method === 'initialize' && isObject(value) && isObject(value.result) && this.#session.id !== undefined) {
      this.#session.options.session?.began({ id: this.#session.id, introduction: value.result })
    }
    if (exchange) exchange.answered ||= hasReply(value, exchange.id)
    else if (hasReply(value)) this.#arrivals.remark('A reply came on the stream of the server’s own messages.')
    this.#arrivals.deliver(value, exchange && { requestId: exchange.id })
  }
}

/** True if a message or batch holds a reply, to this request if one is given. */
function hasReply(value: unknown, id?: RequestId): boolean {
  if (Array.isArray(value)) return value.some((member) => isReply(member, id))
  return isReply(value, id)
}

function isReply(value: unknown, id: RequestId | undefined): boolean {
  return isObject(value) && !('method' in value) && (id === undefined || value.id === id)
}

function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message
}
