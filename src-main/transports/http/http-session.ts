import type { Clock } from '../../../src-shared/base/clock.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import { type TrafficTap, TransportError } from '../../protocol/peer/transport.ts'
import type { JsonRpcMessage } from '../../protocol/shapes/json-rpc.ts'
import { bodyHead, discard, type HttpFetch, type HttpResponse, mediaType, readBody, statusError } from './http-fetch.ts'

export interface HttpOptions {
  readonly url: string
  /** The person's headers for every request; values may be secret. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>
  readonly fetch: HttpFetch
  readonly limits: { readonly maxMessageBytes: number }
  readonly clock: Clock
  /** By which a server's prompt answers are waited for, if another: its time may stand still while a person is asked. */
  readonly requestClock?: Clock
  readonly onTraffic?: TrafficTap
  /** The connection is closed when it aborts. */
  readonly signal: AbortSignal
}

interface Sending {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly accept: string
  readonly body?: string
  readonly lastEventId?: string
  /** Further headers of this message; lower-case names. */
  readonly own?: Readonly<Record<string, string>>
  /** As in HttpRequest. */
  readonly aside?: boolean
  readonly waits?: boolean
  readonly bound?: boolean
  /** The method in its body: the traffic tells pings apart. */
  readonly message?: JsonRpcMessage
  /** The endpoint, unless the server named another. */
  readonly url?: string
  readonly signal: AbortSignal
}

export const ACCEPT_REPLY = 'application/json, text/event-stream'
export const ACCEPT_STREAM = 'text/event-stream'
/** How long a server may take to answer what needs no thinking: a notification, a GET. */
export const PROMPT_MS = 30_000
/** Headers that cannot be configured: they belong to the protocol, or to HTTP itself. */
const OURS = new Set('last-event-id transfer-encoding connection origin'.split(' '))
const isOurs = (name: string) => OURS.has(name) || name.startsWith('mcp-') || name.startsWith('content-')
const REFUSAL_MS = 5_000
const REFUSAL_BYTES = 64 * 1024

/** Everything that each request of one HTTP connection has in common: the one place where headers are made (TRAP-27). */
export class HttpSession {
  readonly options: HttpOptions
  /** From the response to `initialize`; never logged. */
  id: string | undefined
  /** The negotiated version; on every request from then on (TRAN-58). */
  protocolVersion: string | undefined
  /**
   * True if the server answers GET, as far as known. A router without that route answers the first one with 404, which says nothing
   * of the session; from a server that has the route it means that the session is lost.
   */
  takesGet: boolean | undefined

  constructor(options: HttpOptions) {
    this.options = options
  }

  /** Any status is an answer. Rejects with a TransportError, or the signal's reason. */
  async request({
    method,
    accept,
    body,
    lastEventId,
    own,
    aside,
    waits,
    bound,
    message,
    url = this.options.url,
    signal,
  }: Sending): Promise<HttpResponse> {
    const configured = await this.options.headers()
    signal.throwIfAborted()
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(configured)) {
      if (!isOurs(name.toLowerCase())) headers[name.toLowerCase()] = value
    }
    headers.accept = accept
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (this.id !== undefined) headers['mcp-session-id'] = this.id
    if (this.protocolVersion !== undefined) headers['mcp-protocol-version'] = this.protocolVersion
    Object.assign(headers, own)
    if (lastEventId !== undefined) headers['last-event-id'] = lastEventId
    const kind = { ...(aside && { aside }), ...(waits && { waits }), ...(bound && { bound }) }
    const response = await this.options.fetch({ method, url, headers, ...(body !== undefined && { body }), ...kind, signal })
    if (this.options.onTraffic) {
      const { origin, pathname } = new URL(url)
      const ping = message && isPing(message) ? ' (ping)' : ''
      const text = `${method} ${origin}${pathname}${ping} → ${response.status} ${mediaType(response)}`.trimEnd()
      this.options.onTraffic({ direction: 'http', text })
    }
    return response
  }

  /** Takes the session id, if one is given. Throws when it is not made of visible ASCII (TRAN-52). */
  begin(response: HttpResponse): void {
    const id = response.headers['mcp-session-id']
    if (id === undefined) return
    if (!/^[\x21-\x7e]{1,4096}$/.test(id)) {
      throw new TransportError('malformed', 'The server gave a session id with characters that it must not have.')
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

  /** Runs with a signal of its own, which also aborts after `ms`, with a TransportError `timeout`. */
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

  /** Reads what a refusing answer says, within bounds of size and time. */
  async refusal(response: HttpResponse, doing: string, parent: AbortSignal): Promise<Refusal> {
    const text = await this.within(REFUSAL_MS, parent, async (signal) => {
      signal.addEventListener('abort', () => response.body.destroy(), { once: true })
      if (mediaType(response) !== 'application/json') return bodyHead(response)
      // Its status is told without its words.
      return (await readBody(response, REFUSAL_BYTES).catch(() => undefined))?.toString('utf8') ?? ''
    })
    const said = jsonRpcError(text)
    const error = statusError(response, text.slice(0, 2048), doing)
    const because = said && typeof said.error.message === 'string' ? ` It said: ${said.error.message.slice(0, 300)}` : ''
    return { error: new TransportError(error.code, `${error.message}${because}`, error.details), said }
  }
}

interface Refusal {
  readonly error: TransportError
  /** The body, where it is a JSON-RPC error. */
  readonly said: { readonly id?: unknown; readonly error: Record<string, unknown> } | undefined
}

/** Nothing of ours but the answer to a ping has an empty result. */
function isPing(message: JsonRpcMessage): boolean {
  if ('method' in message) return message.method === 'ping'
  return 'result' in message && Object.keys(message.result).length === 0
}

function jsonRpcError(text: string): Refusal['said'] {
  try {
    const value: unknown = parseJson(text)
    if (isObject(value) && isObject(value.error)) return { ...value, error: value.error }
  } catch {
    // Most refusals are no JSON.
  }
  return undefined
}

/** A controller that also aborts with `parent`; `release` lets go of the parent, or its listeners would pile up. */
function abortWith(parent: AbortSignal): { readonly controller: AbortController; readonly release: () => void } {
  const controller = new AbortController()
  const abort = () => controller.abort(parent.reason)
  if (parent.aborted) abort()
  parent.addEventListener('abort', abort, { once: true })
  return { controller, release: () => parent.removeEventListener('abort', abort) }
}

/** A failure as the one kind of error that a transport reports. */
export function asTransportError(error: unknown): TransportError {
  if (error instanceof TransportError) return error
  const aborted = error instanceof Error && error.name === 'AbortError'
  const message = aborted ? 'The connection was closed.' : 'The connection broke off.'
  return new TransportError('closed', message, {}, { cause: error })
}
