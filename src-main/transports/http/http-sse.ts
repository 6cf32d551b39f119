import { type Transport, TransportError, type TransportSink } from '../../protocol/peer/transport.ts'
import type { JsonRpcMessage } from '../../protocol/shapes/json-rpc.ts'
import type { ReceivedText } from '../json-in-turns.ts'
import { ExchangeArrivals } from './arrivals.ts'
import { EventStream } from './event-stream.ts'
import { checkedUrl, mediaType, succeeded } from './http-fetch.ts'
import { ACCEPT_REPLY, ACCEPT_STREAM, asTransportError, type HttpOptions, HttpSession, PROMPT_MS } from './http-session.ts'

const ENDPOINT_MS = 10_000

/** The transport of 2024-11-05: one stream for all incoming messages, which names the endpoint for outgoing ones (TRAN-14). */
export class HttpSse implements Transport {
  readonly kind = 'http-sse'
  readonly #session: HttpSession
  readonly #arrivals: ExchangeArrivals
  #endpoint: string | undefined
  #foundEndpoint: (() => void) | undefined

  constructor(options: HttpOptions) {
    checkedUrl(options.url)
    this.#session = new HttpSession(options)
    this.#arrivals = new ExchangeArrivals(options, { close: () => this.close() })
  }

  /** Resolves when the server has named its endpoint. */
  async start(sink: TransportSink): Promise<void> {
    this.#arrivals.start(sink)
    try {
      if (this.#session.options.signal.aborted) throw new TransportError('closed', 'The connection was cancelled.')
      await this.#session.within(ENDPOINT_MS, this.#arrivals.life, (signal) => this.#open(signal))
    } catch (error) {
      const failed = asTransportError(error)
      this.#arrivals.end(failed)
      throw failed
    }
  }

  async send(message: JsonRpcMessage): Promise<void> {
    const url = this.#endpoint
    if (!this.#arrivals.open || url === undefined)
      throw new TransportError('closed', 'The connection is closed: the message was not sent.')
    const body = JSON.stringify(message)
    this.#session.options.onTraffic?.({ direction: 'sent', text: body })
    const session = this.#session
    const response = await session
      .within(PROMPT_MS, this.#arrivals.life, (signal) =>
        session.request({ method: 'POST', accept: ACCEPT_REPLY, body, message, url, signal }),
      )
      .catch((error: unknown) => Promise.reject(asTransportError(error)))
    // Any 2xx means accepted; the reply comes on the stream, whatever the body (TRAN-19).
    if (succeeded(response)) return session.discard(response)
    const doing = 'method' in message ? message.method : 'the reply'
    throw (await session.refusal(response, doing, this.#arrivals.life)).error
  }

  async close(): Promise<void> {
    this.#arrivals.end(undefined)
    await this.#arrivals.ended()
  }

  async #open(prompt: AbortSignal): Promise<void> {
    const session = this.#session
    // The stream outlives the deadline of its opening.
    const request = new AbortController()
    const giveUp = () => request.abort(prompt.reason)
    prompt.addEventListener('abort', giveUp, { once: true })
    this.#arrivals.life.addEventListener('abort', () => request.abort(this.#arrivals.life.reason), { once: true })
    const response = await session.request({ method: 'GET', accept: ACCEPT_STREAM, signal: request.signal })
    if (!succeeded(response)) throw (await session.refusal(response, 'the request for its stream', prompt)).error
    if (mediaType(response) !== ACCEPT_STREAM) {
      session.discard(response)
      const type = mediaType(response) || 'nothing'
      throw new TransportError('malformed', `The server answered the request for its stream with ${type.slice(0, 100)}.`, {
        status: response.status,
      })
    }
    const stream = new EventStream(session.options.limits.maxMessageBytes, {
      event: (name, data) => this.#event(name, data),
      tooLarge: (id) => this.#arrivals.tooLarge(id),
    })
    const found = new Promise<void>((resolve) => {
      this.#foundEndpoint = resolve
    })
    // A lost stream is the end of the session; a new one would be a new session (TRAN-20).
    const reading = stream.read(response, request.signal)
    this.#arrivals.add(reading, () => {})
    const ended = reading.then(() => {
      if (prompt.aborted) prompt.throwIfAborted()
      if (this.#endpoint === undefined)
        throw new TransportError('malformed', 'The server’s stream ended before it named an endpoint.')
      this.#arrivals.end(new TransportError('closed', 'The server closed its stream.'))
    })
    await Promise.race([found, ended])
    ended.catch(() => {}) // reported to the sink from here on
    prompt.removeEventListener('abort', giveUp)
    if (this.#arrivals.over) throw this.#arrivals.life.reason
  }

  #event(name: string, data: ReceivedText): void {
    if (this.#arrivals.over) return
    if (name === 'endpoint') this.#setEndpoint(data.text)
    else if (name !== 'message') this.#arrivals.remark(`An event named “${name.slice(0, 100)}” was ignored.`)
    else if (this.#endpoint === undefined) this.#arrivals.remark('A message came before the endpoint and was ignored.')
    else this.#arrivals.event(data, () => this.#arrivals.deliver(this.#arrivals.read(data)))
  }

  /** Another origin must not get our headers (TRAN-17); a second endpoint is not allowed (TRAN-21). */
  #setEndpoint(data: string): void {
    const base = new URL(this.#session.options.url)
    const url = URL.parse(data, base.href) ?? undefined
    if (this.#endpoint !== undefined) {
      this.#arrivals.end(new TransportError('malformed', 'The server named a second endpoint in the middle of the session.'))
    } else if (!url || url.origin !== base.origin) {
      const where = url ? url.origin : `“${data.slice(0, 100)}”`
      this.#arrivals.end(
        new TransportError('refused', `The server wants messages posted to ${where}, which is not its own origin.`),
      )
    } else {
      this.#endpoint = url.href
    }
    this.#foundEndpoint?.()
  }
}
