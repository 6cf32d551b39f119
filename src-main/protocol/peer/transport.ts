import type { JsonRpcMessage, RequestId } from '../shapes/json-rpc.ts'

/** Carries JSON-RPC messages between one client and one server. */
export interface Transport {
  readonly kind: 'stdio' | 'streamable-http' | 'http-sse' | 'linked'

  /** Begins receiving; `sink` gets everything in order. */
  start(sink: TransportSink): Promise<void>

  /** True when closing a request's stream cancels it, without a notification (V26-CANC-3). */
  readonly cancelsByClosing?: boolean

  /**
   * Sends a message. Resolves when the pipe is written, in the order of the calls, or the POST accepted. Rejects with a
   * TransportError, which fails that request alone.
   */
  send(message: JsonRpcMessage, options?: SendOptions): Promise<void>

  /** Called after the handshake: HTTP needs the revision for its headers, and opens its GET stream now. */
  negotiated?(protocolVersion: string): void

  /** Ends the connection in an orderly way and releases everything. May be called twice. */
  close(): Promise<void>
}

export interface SendOptions {
  /** Aborts the wait for the reply over HTTP; the transport may abort it, too. */
  readonly controller?: AbortController
  /** As in RequestOptions. */
  readonly mirrored?: Readonly<Record<string, string>>
}

/** The stream of a message, which tells the request that caused it (TRAN-76). */
export interface Arrival {
  /** Our request whose stream it is; absent on stdio and GET streams. */
  readonly requestId?: RequestId
}

export interface TransportSink {
  /** Gets one parsed, unchecked JSON value: a message or a batch. */
  message(value: unknown, arrival?: Arrival): void
  /** Reports a lost message. The request `id`, if known, fails; the connection continues. */
  lost(error: TransportError, id?: RequestId): void
  /** Called exactly once at the end, also after `close()`. */
  closed(error?: TransportError): void
  /** Reports an oddity that is not an error: a line that is not JSON, a stray event. */
  remark(text: string): void
  /** The server delays the reply to `id` by that many milliseconds. */
  waiting?(id: RequestId, ms: number): void
}

type TransportErrorCode =
  | 'spawn-failed'
  | 'exited'
  | 'closed'
  | 'http'
  | 'unreachable'
  | 'malformed'
  | 'too-large'
  /** Parley ended it, because it used too much memory. */
  | 'over-limit'
  | 'session-lost'
  | 'refused'
  | 'timeout'
  /** Not signed in, or without the needed permission. */
  | 'unauthorized'

export interface TransportErrorDetails {
  readonly exitCode?: number | null
  readonly exitSignal?: string | null
  readonly status?: number
  /** Selected response headers, lower-case names, no secrets. */
  readonly headers?: Readonly<Record<string, string>>
  /** The system's error code, such as ENOENT or ECONNREFUSED. */
  readonly errno?: string
  /** Host and port of the proxy. */
  readonly proxy?: string
  /** The HTTP status of a proxy that refused. */
  readonly proxyStatus?: number
  /** The proxy itself could not be reached. */
  readonly proxyFailed?: boolean
  /** The target of a redirect that is not followed. */
  readonly redirectsTo?: string
  /** The last lines of stderr, oldest first. */
  readonly stderr?: readonly string[]
  /** The head of a response body, at most 2 KiB. */
  readonly body?: string
  /** The last output of the failed download of its package; may be empty. */
  readonly download?: string
}

/** The failure of a connection, or of one message on it. */
export class TransportError extends Error {
  readonly code: TransportErrorCode
  readonly details: TransportErrorDetails

  constructor(code: TransportErrorCode, message: string, details: TransportErrorDetails = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TransportError'
    this.code = code
    this.details = details
  }
}

/** Gets messages for the traffic log, which redacts them. A large message has only its head as text, and its size in `bytes`. */
export type TrafficTap = (entry: {
  readonly direction: 'sent' | 'received' | 'http' | 'stderr'
  readonly text: string
  readonly bytes?: number | undefined
}) => void
