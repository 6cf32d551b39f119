import { type Arrival, TransportError, type TransportSink } from '../../protocol/peer/transport.ts'
import type { RequestId } from '../../protocol/shapes/json-rpc.ts'
import { type ReceivedText, readText } from '../json-in-turns.ts'
import { OversizeWatch, oversizedTooOften, skippedError } from '../oversized-reply.ts'
import { Remarks } from '../remarks.ts'
import { type HttpResponse, readReply } from './http-fetch.ts'
import { asTransportError, type HttpOptions } from './http-session.ts'

/** A request of ours, from its POST until its reply came. */
export interface Exchange {
  readonly id: RequestId
  readonly method: string
  readonly controller: AbortController
  answered: boolean
}

interface Hooks {
  /** The connection is to end: its options' signal aborted. */
  readonly close: () => unknown
  /** The reply to an exchange will not come; it may have been given up by our side. */
  readonly onLost?: (exchange: Exchange) => void
}

/** The messages of one HTTP connection, handed to its sink until the connection is over; and the responses that are awaited. */
export class ExchangeArrivals {
  /** Requests whose reply is awaited; they are aborted at the end. */
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

  /** Aborts when the connection is over, with the reason. */
  get life(): AbortSignal {
    return this.#life.signal
  }

  /** Neither over nor about to be. */
  get open(): boolean {
    return !this.#over && !this.#muted
  }

  get over(): boolean {
    return this.#over
  }

  /** Nothing is handed on any more: the connection is about to be over. */
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
      // A fault of ours with one message must not take the connection, and with it the host, along.
      this.remark(`A message could not be handled: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  lose(exchange: Exchange, error: TransportError): void {
    this.#hooks.onLost?.(exchange)
    if (exchange.answered || exchange.controller.signal.aborted || this.#over) return
    exchange.answered = true
    this.#sink?.lost(error, exchange.id)
  }

  /** A message was skipped for its size; `id` where it answered a request of ours. */
  tooLarge(id: RequestId | undefined): void {
    if (!this.open) return
    const { maxMessageBytes } = this.#options.limits
    this.#sink?.lost(skippedError(maxMessageBytes), id)
    if (this.#oversized.tooMany()) this.end(oversizedTooOften(maxMessageBytes))
  }

  waiting(exchange: Exchange, ms: number): void {
    this.#sink?.waiting?.(exchange.id, ms)
  }

  /** Reads a body that is a reply as a whole. `receive` throws when it is not JSON, and notes whether the reply was in it. */
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

  /** A reading on its way, awaited by `ended`; `done` runs at its end, however it ended. */
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

  /** The connection is over; with an error where nobody wanted that. */
  end(error: TransportError | undefined): void {
    if (this.#over) return
    this.#over = true
    this.#options.signal.removeEventListener('abort', this.#onAbort)
    const reason = error ?? new DOMException('The connection was closed.', 'AbortError')
    this.#life.abort(reason)
    for (const { controller } of [...this.exchanges.values()]) controller.abort(reason)
    this.#sink?.closed(error)
  }

  /** Every reading has come to its end. */
  async ended(): Promise<void> {
    await Promise.all(this.#readings)
  }

  readonly #onAbort = () => void this.#hooks.close()
}
