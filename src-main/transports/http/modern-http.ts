import { isObject } from '../../../src-shared/base/json.ts'
import { type SendOptions, type Transport, TransportError, type TransportSink } from '../../protocol/peer/transport.ts'
import type { JsonRpcMessage, JsonRpcRequest } from '../../protocol/shapes/json-rpc.ts'
import type { ReceivedText } from '../json-in-turns.ts'
import { type Exchange, ExchangeArrivals } from './arrivals.ts'
import { EventStream } from './event-stream.ts'
import { checkedUrl, type HttpResponse, mediaType, succeeded } from './http-fetch.ts'
import { ACCEPT_REPLY, ACCEPT_STREAM, AFTER_REPLY_MS, asTransportError, type HttpOptions, HttpSession } from './http-session.ts'
import { requestHeaders } from './request-headers.ts'

/** Gateways may answer with JSON-RPC, too, so these say nothing about the server's era (V26-NEG-19). */
const NO_EVIDENCE = new Set([401, 403, 429, 502, 503, 504])

/** Streamable HTTP without a session: a POST for each request, and closing its stream cancels it (2026-07-28). */
export class ModernHttp implements Transport {
  readonly kind = 'streamable-http'
  readonly cancelsByClosing = true
  readonly #http: HttpSession
  readonly #arrivals: ExchangeArrivals

  constructor(options: HttpOptions) {
    checkedUrl(options.url)
    this.#http = new HttpSession(options)
    this.#arrivals = new ExchangeArrivals(options, {
      close: () => this.close(),
      onLost: (exchange) => this.#noteCancelled(exchange),
    })
  }

  async start(sink: TransportSink): Promise<void> {
    this.#arrivals.start(sink)
    if (this.#http.options.signal.aborted) await this.close()
  }

  async send(message: JsonRpcMessage, { controller, mirrored }: SendOptions = {}): Promise<void> {
    if (!this.#arrivals.open) throw new TransportError('closed', 'The connection is closed: the message was not sent.')
    // Only requests are sent: cancelling is closing the stream, and servers send no requests to answer.
    if (!('method' in message && 'id' in message)) return
    const body = JSON.stringify(message)
    this.#http.options.onTraffic?.({ direction: 'sent', text: body })
    await this.#ask(message, body, requestHeaders(message, mirrored), controller)
  }

  async close(): Promise<void> {
    this.#arrivals.end(undefined)
    await this.#arrivals.ended()
  }

  async #ask(
    message: JsonRpcRequest,
    body: string,
    headers: Record<string, string>,
    controller = new AbortController(),
  ): Promise<void> {
    const exchange: Exchange = { id: message.id, method: message.method, controller, answered: false }
    this.#arrivals.exchanges.set(message.id, exchange)
    const done = () => this.#arrivals.exchanges.delete(message.id)
    try {
      const isStream = message.method === 'subscriptions/listen'
      const response = await this.#http.request({
        method: 'POST',
        accept: ACCEPT_REPLY,
        body,
        own: headers,
        aside: isStream,
        waits: isStream,
        bound: message.params?.requestState !== undefined,
        signal: controller.signal,
      })
      const refused = succeeded(response) ? undefined : await this.#refused(response, exchange)
      if (refused) throw refused
      if (exchange.answered) return void done()
      const type = mediaType(response)
      const streamed = type === ACCEPT_STREAM
      if (!streamed && type !== 'application/json') throw this.#http.noReply(response, message.method)
      const reading = streamed
        ? this.#followReply(response, exchange)
        : this.#arrivals.readReply(response, exchange, (reply) => this.#receive(reply, exchange))
      this.#arrivals.add(reading, done)
    } catch (error) {
      done()
      this.#noteCancelled(exchange)
      throw asTransportError(error)
    }
  }

  /** The error of a refusal; undefined when its body is the reply to this request, at any status (V26-HTTP-26). */
  async #refused(response: HttpResponse, exchange: Exchange): Promise<TransportError | undefined> {
    const { error, said } = await this.#http.refusal(response, exchange.method, this.#arrivals.life)
    if (!said || (said.id !== exchange.id && said.id !== undefined && said.id !== null)) return error
    // A server that could not read our id answers with a null id.
    const modern = isModernCode(said.error.code)
    if (said.id !== exchange.id && !modern) return error
    if (exchange.method === 'server/discover' && NO_EVIDENCE.has(response.status) && !modern) return error
    exchange.answered = true
    this.#arrivals.deliver({ ...said, id: exchange.id }, { requestId: exchange.id })
    return undefined
  }

  /** Reads a stream up to the reply, and for a while after it. A stream that ends before has lost the reply (V26-HTTP-23). */
  async #followReply(response: HttpResponse, exchange: Exchange): Promise<void> {
    let afterReply: (() => void) | undefined
    const { signal } = exchange.controller
    const stream = new EventStream(this.#http.options.limits.maxMessageBytes, {
      event: (_name, data) => {
        if (exchange.answered) return
        this.#arrivals.event(data, () => this.#receive(data, exchange))
        if (exchange.answered) {
          afterReply ??= this.#http.options.clock.after(AFTER_REPLY_MS, () => exchange.controller.abort())
        }
      },
      tooLarge: (id) => {
        if (id === exchange.id) exchange.answered = true
        this.#arrivals.tooLarge(id)
      },
    })
    await stream.read(response, signal)
    afterReply?.()
    // Made only when needed: the error would cost a tenth of a small reply.
    if (!exchange.answered) this.#arrivals.lose(exchange, new TransportError('closed', 'The stream ended before the reply came.'))
  }

  /** Throws when it is not JSON. */
  #receive(received: ReceivedText, exchange: Exchange): void {
    const value = this.#arrivals.read(received)
    const { id } = exchange
    if (!isObject(value)) {
      // A batch is a violation that fails this POST (V26-ERR-7).
      if (Array.isArray(value)) exchange.answered = true
      this.#arrivals.deliver(value, { requestId: id })
    } else if ('method' in value) {
      if (!('id' in value)) this.#arrivals.deliver(value, { requestId: id })
      else
        this.#arrivals.remark(
          `The server sent a request, ${String(value.method).slice(0, 100)}, which is not allowed; it was dropped.`,
        )
    } else if (value.id === id || (isObject(value.error) && (value.id === undefined || value.id === null))) {
      // A server that could not read our id still answers this POST, and no other (V26-HTTP-26).
      exchange.answered = true
      this.#arrivals.deliver(value.id === id ? value : { ...value, id }, { requestId: id })
    } else this.#arrivals.remark('The server answered a different request; ignored.')
  }

  /** Closing the stream carries no reason to the server, so the traffic notes it (V26-CANC-6). */
  #noteCancelled({ method, id, controller, answered }: Exchange): void {
    const { aborted, reason } = controller.signal
    if (!aborted || answered || this.#arrivals.over) return
    const why = reason instanceof Error ? reason.message : 'The client no longer needs it.'
    this.#http.options.onTraffic?.({ direction: 'http', text: `${method} ${id} cancelled by closing its stream: ${why}` })
  }
}

function isModernCode(code: unknown): boolean {
  return typeof code === 'number' && code <= -32020 && code >= -32099
}
