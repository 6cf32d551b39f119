import type { JsonRpcMessage, RequestId } from '../shapes/json-rpc.ts'

/** Bytes in, bytes out: what carries JSON-RPC messages between one client and one server. */
export interface Transport {
  readonly kind: 'stdio' | 'streamable-http' | 'http-sse' | 'linked'

  /** Begins receiving. `sink` hears everything from here on, in order; nothing is delivered before `start` was called. */
  start(sink: TransportSink): Promise<void>

  /** Giving up a request closes its stream, and that tells the server: nothing is sent (V26-CANC-3). */
  readonly cancelsByClosing?: boolean

  /**
   * Hands a message over. Resolves when it was taken (pipe written, POST accepted), in the order of the calls for stdio.
   * Rejects with a TransportError when it could not be; the peer then fails that request only.
   * `controller` lets an HTTP transport give up waiting for this message's reply; a pipe ignores it.
   */
  send(message: JsonRpcMessage, options?: SendOptions): Promise<void>

  /** Called once the handshake is done: HTTP needs the revision for its headers and opens its GET stream now. */
  negotiated?(protocolVersion: string): void

  /** Says goodbye and releases everything: staged stop of a process, DELETE of a session. Ends once. */
  close(): Promise<void>
}

export interface SendOptions {
  /** Aborts when the reply is not wanted any more; the transport may abort it, too. */
  readonly controller?: AbortController
  /** As in RequestOptions. */
  readonly mirrored?: Readonly<Record<string, string>>
}

/** Where a message arrived, when that tells which request caused it (TRAN-76). */
export interface Arrival {
  /** The request of ours on whose own stream it came; absent on stdio and GET streams. */
  readonly requestId?: RequestId
}

export interface TransportSink {
  /** One parsed JSON value: a message, or an array where the transport got a batch. The peer judges its shape. */
  message(value: unknown, arrival?: Arrival): void
  /** A message of the other side could not be delivered. With `id` known, that request fails; the connection goes on. */
  lost(error: TransportError, id?: RequestId): void
  /** Nothing more will come. Called exactly once, also after `close()`. */
  closed(error?: TransportError): void
  /** Something odd that is no failure: a line that is no JSON, a stray event. */
  remark(text: string): void
  /** The other side asked for that many milliseconds before the reply to `id` goes on. */
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
  | 'session-lost'
  | 'refused'
  | 'timeout'
  /** Nobody is signed in, or not for this. */
  | 'unauthorized'

export interface TransportErrorDetails {
  readonly exitCode?: number | null
  readonly exitSignal?: string | null
  readonly status?: number
  /** Selected response headers, lower-case names, no secrets. */
  readonly headers?: Readonly<Record<string, string>>
  /** The operating system's word for it: ENOENT, EACCES, ECONNREFUSED. */
  readonly errno?: string
  /** The proxy that it went by, as host and port. */
  readonly proxy?: string
  /** The proxy's refusal. */
  readonly proxyStatus?: number
  /** It was the proxy that could not be reached. */
  readonly proxyFailed?: boolean
  /** The last lines of stderr, oldest first. */
  readonly stderr?: readonly string[]
  /** The head of a response body, at most 2 KiB. */
  readonly body?: string
}

/** A connection, or one message on it, failed. */
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

/** Messages of a connection, for the traffic log. Text is raw: the log redacts it. Of a large message it is the head; `bytes` is its size then. */
export type TrafficTap = (entry: {
  readonly direction: 'sent' | 'received' | 'http' | 'stderr'
  readonly text: string
  readonly bytes?: number | undefined
}) => void
