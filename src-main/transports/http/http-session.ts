import type { Clock } from '../../../src-shared/base/clock.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import { type TrafficTap, TransportError } from '../../protocol/peer/transport.ts'
import type { JsonRpcMessage } from '../../protocol/shapes/json-rpc.ts'
import {
  bodyHead,
  discard,
  type HttpFetch,
  type HttpRequest,
  type HttpResponse,
  mediaType,
  readBody,
  statusError,
} from './http-fetch.ts'
import type { SessionHold } from './session-hold.ts'

export interface HttpOptions {
  readonly url: string
  /** The person's headers for every request; values may be secret. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>
  readonly fetch: HttpFetch
  readonly limits: { readonly maxMessageBytes: number }
  readonly clock: Clock
  /** The clock for prompt answers, if another: it may stop while a person is asked. */
  readonly requestClock?: Clock
  readonly onTraffic?: TrafficTap
  /** Ends and begins with the connection when absent. */
  readonly session?: SessionHold
  /** The connection is closed when it aborts. */
  readonly signal: AbortSignal
}

interface MessageRequest extends Omit<HttpRequest, 'url' | 'headers'> {
  readonly accept: string
  readonly lastEventId?: string | undefined
  /** Further headers of this message; lower-case names. */
  readonly own?: Readonly<Record<string, string>>
  /** The message in the body, to mark pings in the traffic. */
  readonly message?: JsonRpcMessage
  /** Another endpoint that the server named. */
  readonly url?: string
}

export const ACCEPT_REPLY = 'application/json, text/event-stream'
export const ACCEPT_STREAM = 'text/event-stream'
/** Milliseconds for an answer that needs no work: to a notification or a GET. */
export const PROMPT_MS = 30_000
/** Milliseconds that a stream may stay open after its reply. */
export const AFTER_REPLY_MS = 5_000
/** Headers of the protocol or of HTTP itself, which cannot be configured. */
const OURS = new Set('last-event-id transfer-encoding connection origin'.split(' '))
const isOurs = (name: string) => OURS.has(name) || name.startsWith('mcp-') || name.startsWith('content-')
const REFUSAL_MS = 5_000
const REFUSAL_BYTES = 64 * 1024

/** The common parts of all requests of one HTTP connection; no other place makes headers (TRAP-27). */
export class HttpSession {
  readonly options: HttpOptions
  /** From the response to `initialize`; never logged. */
  id: string | undefined
  /** The negotiated version, sent with every later request (TRAN-58). */
  protocolVersion: string | undefined
  /**
   * True if the server is known to answer GET. Then a 404 means that the session is lost; a router without that route answers the
   * first GET with 404, too.
   */
  takesGet: boolean | undefined

  constructor(options: HttpOptions) {
    this.options = options
  }

  /** Rejects with a TransportError or the signal's reason; no status is an error. */
  async request({
    accept,
    lastEventId,
    own,
    message,
    url = this.options.url,
    ...request
  }: MessageRequest): Promise<HttpResponse> {
    const configured = await this.options.headers()
    request.signal.throwIfAborted()
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(configured)) {
      if (!isOurs(name.toLowerCase())) headers[name.toLowerCase()] = value
    }
    headers.accept = accept
    if (request.body !== undefined) headers['content-type'] = 'application/json'
    if (this.id !== undefined) headers['mcp-session-id'] = this.id
    if (this.protocolVersion !== undefined) headers['mcp-protocol-version'] = this.protocolVersion
    Object.assign(headers, own)
    if (lastEventId !== undefined) headers['last-event-id'] = lastEventId
    const response = await this.options.fetch({ ...request, url, headers })
    if (this.options.onTraffic) {
      const { origin, pathname } = new URL(url)
      const ping = message && isPing(message) ? ' (ping)' : ''
      const text = `${request.method} ${origin}${pathname}${ping} → ${response.status} ${mediaType(response)}`.trimEnd()
      this.options.onTraffic({ direction: 'http', text })
    }
    return response
  }

  /** Takes the session id of a response, if any. Throws when it is not visible ASCII (TRAN-52). */
  begin(response: HttpResponse): void {
    const id = response.headers['mcp-session-id']
    if (id === undefined) return
    if (!/^[\x21-\x7e]{1,4096}$/.test(id)) {
      throw new TransportError('malformed', 'The server sent a session id with invalid characters.')
    }
    this.id = id
  }

  discard(response: HttpResponse): void {
    discard(response, this.options.clock)
  }

  /** The error for a response to a request that is neither JSON nor a stream (TRAN-31). */
  noReply(response: HttpResponse, method: string): TransportError {
    this.discard(response)
    const type = mediaType(response)
    const how = type === '' ? 'without content' : `with ${type.slice(0, 100)}`
    const text = `The server answered ${method} with HTTP ${response.status} ${how}, which is not a reply.`
    return new TransportError('malformed', text, { status: response.status, headers: { 'content-type': type } })
  }

  /** Runs with a signal that also aborts after `ms`, with a TransportError `timeout`. */
  async within<T>(ms: number, parent: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const link = abortWith(parent)
    const cancel = (this.options.requestClock ?? this.options.clock).after(ms, () => {
      link.controller.abort(new TransportError('timeout', `The server did not answer within ${Math.round(ms / 1000)} seconds.`))
    })
    try {
      return await run(link.controller.signal)
    } finally {
      cancel()
      link.release()
    }
  }

  /** Reads the body of an error response, with bounds of size and time. */
  async refusal(response: HttpResponse, doing: string, parent: AbortSignal): Promise<Refusal> {
    const text = await this.within(REFUSAL_MS, parent, async (signal) => {
      signal.addEventListener('abort', () => response.body.destroy(), { once: true })
      if (mediaType(response) !== 'application/json') return bodyHead(response)
      // Without a readable body the status alone is reported.
      return (await readBody(response, REFUSAL_BYTES).catch(() => undefined))?.toString('utf8') ?? ''
    })
    const said = jsonRpcError(text)
    const error = statusError(response, text.slice(0, 2048), doing)
    const detail = said && typeof said.error.message === 'string' ? ` It said: ${said.error.message.slice(0, 300)}` : ''
    return { error: new TransportError(error.code, `${error.message}${detail}`, error.details), said }
  }
}

interface Refusal {
  readonly error: TransportError
  /** The body, where it is a JSON-RPC error. */
  readonly said: { readonly id?: unknown; readonly error: Record<string, unknown> } | undefined
}

/** A ping, or its answer: no other result of ours is empty. */
function isPing(message: JsonRpcMessage): boolean {
  if ('method' in message) return message.method === 'ping'
  return 'result' in message && Object.keys(message.result).length === 0
}

function jsonRpcError(text: string): Refusal['said'] {
  try {
    const value: unknown = parseJson(text)
    if (isObject(value) && isObject(value.error)) return { ...value, error: value.error }
  } catch {
    // Most error bodies are not JSON.
  }
  return undefined
}

/** A controller that also aborts with `parent`. `release` removes the listener, which would leak on a long-lived parent. */
function abortWith(parent: AbortSignal): { readonly controller: AbortController; readonly release: () => void } {
  const controller = new AbortController()
  const abort = () => controller.abort(parent.reason)
  if (parent.aborted) abort()
  parent.addEventListener('abort', abort, { once: true })
  return { controller, release: () => parent.removeEventListener('abort', abort) }
}

/** Transports report every failure as a TransportError. */
export function asTransportError(error: unknown): TransportError {
  if (error instanceof TransportError) return error
  const aborted = error instanceof Error && error.name === 'AbortError'
  const message = aborted ? 'The connection was closed.' : 'The connection was lost.'
  return new TransportError('closed', message, {}, { cause: error })
}
