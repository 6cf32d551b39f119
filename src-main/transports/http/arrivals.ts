import { type Arrival, TransportError, type TransportSink } from '../../protocol/peer/transport.ts'
import type { RequestId } from '../../protocol/shapes/json-rpc.ts'
import { type ReceivedText, readText } from '../json-in-turns.ts'
import { OversizeWatch, oversizedRepeatedly, skippedError } from '../oversized-reply.ts'
import { Remarks } from '../remarks.ts'
import { type HttpResponse, readReply } from './http-fetch.ts'
import { asTransportError, type HttpOptions } from './http-session.ts'

/** A request of ours, from its POST to its reply. */
export interface Exchange {
  readonly id: RequestId
  readonly method: string
  readonly controller: AbortController
  answered: boolean
}

interface Hooks {
  /** Called when the signal of the options aborts. */
  readonly close: () => unknown
  /** Called when no reply will come, also after we cancelled the request. */
  readonly onLost?: (exchange: Exchange) => void
}

/** Passes the messages of one HTTP connection to its sink, and keeps the requests that wait for a reply. */
export class ExchangeArrivals {
  /** Requests without a reply yet; they are aborted at the end. */
  readonly exchanges = new Map<RequestId, Exchange>()
  readonly #options: HttpOptions
  readonly #hooks: Hooks
  readonly #oversized: OversizeWatch
  readonly #remarks: Remarks
  readonly #life = new AbortController()
  readonly #readings = new Set<Promise<void>>()
  #sink: TransportSink | undefined
  #muted = false
  #over = false

  constructor(options: HttpOptions, hooks: Hooks) {
    this.#options = options
    this.#hooks = hooks
    this.#oversized = new OversizeWatch(options.clock)
    this.#remarks = new Remarks(options.clock, (text) => this.#sink?.remark(text))
    options.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  start(sink: TransportSink): void {
    this.#sink = sink
  }

  /** Aborts with the reason when the connection ends. */
  get life(): AbortSignal {
    return this.#life.signal
  }

  get open(): boolean {
    return !this.#over && !this.#muted
  }

  get over(): boolean {
    return this.#over
  }

  /** Drops all further messages, while the connection is closing. */
  mute(): void {
    this.#muted = true
  }

  remark(text: string): void {
    this.#remarks.add(text)
  }

  deliver(value: unknown, arrival?: Arrival): void {
    if (!this.open) return
    try {
      this.#sink?.message(value, arrival)
    } catch (error) {
      // A bug of ours with one message must not end the connection, or the host.
      this.remark(`A message could not be handled: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** The value of a message, which the traffic gets, too. Throws when it is not JSON. */
  read(received: ReceivedText): unknown {
    const value = received.json()
    const { text, bytes } = received
    this.#options.onTraffic?.({ direction: 'received', text, bytes })
    return value
  }

  /** Passes an event to `receive`, which throws when it is not JSON. */
  event(data: ReceivedText, receive: () => void): void {
    try {
      receive()
    } catch {
      this.remark(`Not JSON in an event: ${data.text.slice(0, 200)}`)
    }
  }

  lose(exchange: Exchange, error: TransportError): void {
    this.#hooks.onLost?.(exchange)
    if (exchange.answered || exchange.controller.signal.aborted || this.#over) return
    exchange.answered = true
    this.#sink?.lost(error, exchange.id)
  }

  /** Reports a message that was skipped for its size; `id` is the request that it answers, if known. */
  tooLarge(id: RequestId | undefined): void {
    if (!this.open) return
    const { maxMessageBytes } = this.#options.limits
    this.#sink?.lost(skippedError(maxMessageBytes), id)
    if (this.#oversized.exceeds()) this.end(oversizedRepeatedly(maxMessageBytes))
  }

  waiting(exchange: Exchange, ms: number): void {
    this.#sink?.waiting?.(exchange.id, ms)
  }

  /** Reads a body as one reply. `receive` throws when it is not JSON, and sets `answered` when it holds the reply. */
  async readReply(response: HttpResponse, exchange: Exchange, receive: (reply: ReceivedText) => void): Promise<void> {
    let chunks: readonly Buffer[] | undefined
    try {
      chunks = await readReply(response, this.#options.limits.maxMessageBytes)
    } catch (error) {
      this.lose(exchange, asTransportError(error))
      return
    }
    if (!chunks) return this.tooLarge(exchange.id)
    const reply = await readText(chunks)
    try {
      receive(reply)
    } catch (cause) {
      this.lose(exchange, new TransportError('malformed', 'The reply is not valid JSON.', { status: 200 }, { cause }))
    }
    if (exchange.answered) return
    this.lose(exchange, new TransportError('malformed', 'The server answered with something that is not the reply.'))
  }

  /** Adds a read that `ended` awaits; `done` runs when it settles. */
  add(reading: Promise<void>, done: () => unknown): void {
    const settle = () => {
      this.#readings.delete(tracked)
      done()
    }
    const tracked = reading.then(settle, (error: unknown) => {
      settle()
      this.remark(`A reply could not be read: ${String(error)}`)
    })
    this.#readings.add(tracked)
  }

  /** Ends the connection; without an error when we closed it. */
  end(error: TransportError | undefined): void {
    if (this.#over) return
    this.#over = true
    this.#options.signal.removeEventListener('abort', this.#onAbort)
    const reason = error ?? new DOMException('The connection was closed.', 'AbortError')
    this.#life.abort(reason)
    for (const { controller } of [...this.exchanges.values()]) controller.abort(reason)
    this.#sink?.closed(error)
  }

  async ended(): Promise<void> {
    await Promise.all(this.#readings)
  }

  readonly #onAbort = () => void this.#hooks.close()
}
