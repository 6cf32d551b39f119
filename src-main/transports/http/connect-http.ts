import { delay } from '../../../src-shared/base/clock.ts'
import { waitOf } from '../../protocol/peer/retry-after.ts'
import { type SendOptions, type Transport, TransportError, type TransportSink } from '../../protocol/peer/transport.ts'
import type { JsonRpcMessage } from '../../protocol/shapes/json-rpc.ts'
import { asTransportError, type HttpOptions } from './http-session.ts'
import { HttpSse } from './http-sse.ts'
import { StreamableHttp } from './streamable-http.ts'

export { ModernHttp } from './modern-http.ts'

export type HttpKind = 'streamable-http' | 'http-sse'

interface ConnectHttpOptions extends HttpOptions {
  /** The transport that answered at a URL before; read and updated here, kept by the caller (TRAN-68). */
  readonly remembered?: Map<string, HttpKind>
  /** The server is known to speak JSON-RPC over POST, so the older stream is not tried. */
  readonly speaksPost?: boolean
}

const MAX_WAITS = 3

/** Statuses by which a server of 2024-11-05 refuses a POST (TRAN-65, V26-NEG-18). 401 and 403 lead to a sign-in instead (TRAN-67). */
const REFUSED_POST = [400, 404, 405]

/** Codes that only a server of 2026-07-28 gives, which has no older stream (V26-NEG-17). */
const MODERN_ERROR = /"code"\s*:\s*-3202[0-2]\b/

/** Errors without a status come from the network, a certificate or a deadline: another transport would not help. */
function refusesPost({ code, details: { status, body = '' } }: TransportError): boolean {
  return code === 'http' && status !== undefined && REFUSED_POST.includes(status) && !MODERN_ERROR.test(body)
}

/**
 * Connects to either kind of HTTP server (TRAN-63): the first message is posted, and if it is refused as by a server of 2024-11-05,
 * its stream is requested instead. Throws TransportError `refused` for an address that must not be used.
 */
export function connectHttp(options: ConnectHttpOptions): Transport {
  return new ProbingTransport(options)
}

class ProbingTransport implements Transport {
  readonly #options: ConnectHttpOptions
  readonly #streamable: StreamableHttp
  #sink: TransportSink | undefined
  #chosen: Transport | undefined
  #probing: Promise<void> | undefined
  #closing: Promise<void> | undefined
  #over = false

  constructor(options: ConnectHttpOptions) {
    this.#options = options
    this.#streamable = new StreamableHttp(options)
  }

  get kind(): HttpKind {
    return this.#chosen?.kind === 'http-sse' ? 'http-sse' : 'streamable-http'
  }

  async start(sink: TransportSink): Promise<void> {
    this.#sink = sink
    await this.#streamable.start(this.#sinkOf(() => this.#chosen === undefined || this.#chosen === this.#streamable))
  }

  async send(message: JsonRpcMessage, options: SendOptions = {}): Promise<void> {
    if (this.#closing || this.#over) throw new TransportError('closed', 'The connection is closed: the message was not sent.')
    if (this.#chosen) return this.#chosen.send(message, options)
    if (this.#probing) {
      await this.#probing
      return this.send(message, options)
    }
    this.#probing = this.#probe(message, options)
    // Later messages wait for the probe, too, and then use its result.
    this.#probing = this.#probing.finally(() => {
      this.#probing = undefined
    })
    return this.#probing
  }

  negotiated(protocolVersion: string): void {
    // The reply of the first request may come before its transport is chosen.
    const transport: Transport = this.#chosen ?? this.#streamable
    transport.negotiated?.(protocolVersion)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    if (this.#chosen && this.#chosen !== this.#streamable) await this.#chosen.close()
    await this.#streamable.close()
    this.#closed(undefined)
  }

  async #probe(first: JsonRpcMessage, options: SendOptions): Promise<void> {
    const { url, remembered } = this.#options
    if (remembered?.get(url) === 'http-sse') {
      const failed = await this.#openSse(first)
      if (!failed) return
      remembered.delete(url)
    }
    const refused = await this.#post(first, options)
    if (!refused) return this.#choose(this.#streamable)
    if (this.#options.speaksPost || !refusesPost(refused)) throw refused
    const failed = await this.#openSse(first)
    if (!failed) return
    const message = `Nothing at this address speaks MCP. Streamable HTTP: ${refused.message} HTTP+SSE: ${failed.message}`
    throw new TransportError('http', message, refused.details, { cause: failed })
  }

  async #post(first: JsonRpcMessage, options: SendOptions): Promise<TransportError | undefined> {
    const { clock, signal } = this.#options
    for (let waits = 0; ; waits++) {
      try {
        await this.#streamable.send(first, options)
        return undefined
      } catch (error) {
        const refused = asTransportError(error)
        if (refused.details.status !== 429 || waits === MAX_WAITS) return refused
        await delay(clock, waitOf(refused), options.controller?.signal ?? signal)
      }
    }
  }

  async #openSse(first: JsonRpcMessage): Promise<TransportError | undefined> {
    let transport: HttpSse | undefined
    try {
      transport = new HttpSse(this.#options)
      const own: Transport = transport
      await transport.start(this.#sinkOf(() => this.#chosen === own))
      if (this.#closing) throw new TransportError('closed', 'The connection was closed.')
      this.#choose(transport)
    } catch (error) {
      await transport?.close()
      return asTransportError(error)
    }
    await transport.send(first)
    return undefined
  }

  #choose(transport: StreamableHttp | HttpSse): void {
    this.#chosen = transport
    this.#options.remembered?.set(this.#options.url, transport.kind)
    // The other transport never carried anything, so closing it sends nothing.
    if (transport !== this.#streamable) void this.#streamable.close()
  }

  /** Passes on the end of the transport in use, and not of one that was only tried. */
  #sinkOf(inUse: () => boolean): TransportSink {
    return {
      message: (value, arrival) => this.#sink?.message(value, arrival),
      lost: (error, id) => this.#sink?.lost(error, id),
      remark: (text) => this.#sink?.remark(text),
      closed: (error) => {
        if (inUse()) this.#closed(error)
      },
    }
  }

  #closed(error: TransportError | undefined): void {
    if (this.#over) return
    this.#over = true
    this.#sink?.closed(error)
  }
}
