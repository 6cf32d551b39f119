import type { Clock } from '../../../src-shared/base/clock.ts'
import { dropOldest } from '../../../src-shared/base/drop-oldest.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import type { Progress } from '../../../src-shared/mcp/primitives.ts'
import { bounded } from '../shapes/border.ts'
import { isRequestId, type Params, ProtocolError, RequestError, type RequestId } from '../shapes/json-rpc.ts'
import { LimitError, type Limits } from '../shapes/limits.ts'
import { Deadlines } from './deadline.ts'
import { lasted, OverdueRequests } from './overdue.ts'
import { PendingRequest, type RequestOptions } from './pending-request.ts'
import { SignalWatch } from './signal-watch.ts'
import type { Transport, TransportError } from './transport.ts'

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Cancelled requests of which a late result is awaited. */
const MAX_CANCELLED = 64

export interface OwnRequestsOptions {
  readonly transport: Transport
  readonly clock: Clock
  readonly limits: Limits
  readonly remark: (text: string) => void
}

/** Our requests on one connection, from sent to settled. No id is used twice (MSG-04, CANC-14). */
export class OwnRequests {
  readonly #transport: Transport
  readonly #clock: Clock
  readonly #limits: Limits
  readonly #remark: (text: string) => void
  readonly #deadlines: Deadlines
  readonly #overdue: OverdueRequests
  readonly #signals = new SignalWatch()
  readonly #pending = new Map<RequestId, PendingRequest>()
  /** By progress token, which differs from the request id (PROG-14). */
  readonly #byToken = new Map<number, PendingRequest>()
  /** Cancelled requests whose late result matters. */
  readonly #cancelled = new Map<RequestId, PendingRequest>()
  #lastId = 0
  #lastToken = 0
  #ended: RequestError | undefined

  constructor(options: OwnRequestsOptions) {
    this.#transport = options.transport
    this.#clock = options.clock
    this.#limits = options.limits
    this.#remark = options.remark
    this.#deadlines = new Deadlines(options.clock)
    this.#overdue = new OverdueRequests({ deadlines: this.#deadlines, clock: options.clock, remark: options.remark })
  }

  get size(): number {
    return this.#pending.size
  }

  get held(): boolean {
    return this.#deadlines.held
  }

  hold(): () => void {
    const release = this.#deadlines.hold()
    this.#overdue.timeChanged()
    return () => {
      release()
      this.#overdue.timeChanged()
    }
  }

  has(id: RequestId | undefined): id is RequestId {
    return this.#find(id) !== undefined
  }

  isSubscription(id: RequestId | undefined): boolean {
    return id !== undefined && this.#pending.get(id)?.options.subscription === true
  }

  /** Requests in flight that may have caused a request of the server. */
  candidates(): readonly RequestId[] {
    const found: RequestId[] = []
    for (const request of this.#pending.values()) if (!request.options.aside) found.push(request.id)
    return found
  }

  /** Not async, which saves a promise for each request. */
  send(method: string, params: Params | undefined, options: RequestOptions): Promise<Params> {
    const { signal } = options
    if (signal.aborted) return Promise.reject(signal.reason)
    const refused = this.#refused(method)
    if (refused) return Promise.reject(refused)
    const token = options.onProgress ? ++this.#lastToken : undefined
    const http = this.#transport.kind === 'streamable-http' || this.#transport.kind === 'http-sse'
    const wire = http ? new AbortController() : undefined
    const id = options.id ?? ++this.#lastId
    const request = new PendingRequest(this, id, method, options, token, wire)
    this.#pending.set(id, request)
    if (token !== undefined) this.#byToken.set(token, request)
    this.#signals.add(signal, request)
    this.#deadlines.watch(request, options.timeout, options.maxTime)
    const meta = isObject(params?._meta) ? params._meta : undefined
    const sent = token === undefined ? params : { ...params, _meta: { ...meta, progressToken: token } }
    const message = sent ? ({ jsonrpc: '2.0', id, method, params: sent } as const) : ({ jsonrpc: '2.0', id, method } as const)
    try {
      options.onSent?.(id)
      const { mirrored } = options
      const how = wire && { controller: wire, ...(mirrored && { mirrored }) }
      this.#transport.send(message, how).catch((error: unknown) => this.#settle(request, error))
    } catch (error) {
      this.#settle(request, error) // Params that are not JSON, or an error of the caller.
    }
    return request.promise
  }

  #refused(method: string): RequestError | undefined {
    const ended = this.#ended
    if (ended) return new RequestError(ended.code, method, ended.message, { cause: ended.cause })
    const allowed = this.#limits.maxPendingRequests
    if (this.#pending.size < allowed) return undefined
    const message = `${allowed} requests are waiting for this server already.`
    return new RequestError('too-many-pending', method, message, {
      cause: new LimitError('maxPendingRequests', allowed, message),
    })
  }

  /** Matches a response by its id alone; order and stream do not matter (MSG-21). */
  answered(message: Params): void {
    const request = this.#find(message.id)
    if (!request) {
      if (this.#late(message)) return
      this.#remark('The server answered a request that is not waiting; ignored.')
      return
    }
    const verdict = judge(message, request, this.#limits)
    if (verdict instanceof Error) {
      this.#settle(request, verdict)
      return
    }
    try {
      request.options.onResult?.(verdict)
    } catch (reason) {
      this.#settle(request, reason)
      return
    }
    this.#forget(request)
    request.succeed(verdict)
  }

  /** True if a cancelled request still takes the answer. */
  #late(message: Params): boolean {
    const request = isRequestId(message.id) ? this.#cancelled.get(message.id) : undefined
    if (!request) return false
    this.#cancelled.delete(request.id)
    const verdict = judge(message, request, this.#limits)
    return !(verdict instanceof Error) && request.options.onLate?.(verdict) === true
  }

  /**
   * Handles a progress report; `on` is the request of its stream, where each has its own (V26-PROG-2). Values that do not increase
   * are dropped and do not extend the deadline (PROG-05).
   */
  progressed({ progressToken, progress, total, message }: Params, withText: boolean, now: number, on?: RequestId): void {
    const request = typeof progressToken === 'number' ? this.#byToken.get(progressToken) : undefined
    if (!request) {
      this.#remark('The server reported progress for no current request; ignored.')
      return
    }
    if (on !== undefined && on !== request.id) {
      this.#remark('The server reported progress on the stream of another request; ignored.')
      return
    }
    if (typeof progress !== 'number' || !Number.isFinite(progress) || progress <= request.lastProgress) {
      this.#remark('The server reported progress that does not increase; ignored.')
      return
    }
    request.lastProgress = progress
    if (this.#pending.has(request.id)) {
      this.#deadlines.touch(request, now)
      this.#overdue.heard(request)
    }
    const update: Writable<Progress> = { progress }
    if (typeof total === 'number' && Number.isFinite(total)) update.total = total
    if (withText && typeof message === 'string') update.message = message.slice(0, this.#limits.maxLabelLength)
    try {
      request.options.onProgress?.(update)
    } catch (error) {
      this.#remark(`A progress report could not be handled: ${String(error)}`)
    }
  }

  /** Notes that the server delays its answer, for the message of a timeout. */
  waiting(id: RequestId, ms: number): void {
    const request = this.#find(id)
    if (request) request.waitsUntil = this.#clock.now() + ms
  }

  fail(id: RequestId | undefined, reason: (method: string) => unknown): void {
    const request = this.#find(id)
    if (request) this.#settle(request, reason(request.method))
  }

  /** Handles a cancellation by the server, which may cancel subscriptions alone (CANC-13, V26-CANC-5). */
  cancelled({ requestId, reason }: Params): void {
    const request = this.#find(requestId)
    if (!request?.options.subscription) {
      this.#remark('The server cancelled a request of ours that is not a subscription; ignored.')
      return
    }
    const why = typeof reason === 'string' && reason !== '' ? ` It said: ${reason.slice(0, 200)}` : ''
    this.#settle(request, new RequestError('closed', request.method, `The server ended the subscription.${why}`))
    request.wire?.abort()
  }

  aborted(request: PendingRequest, reason: unknown): void {
    this.#giveUp(request, reason, 'The client no longer needs it.')
  }

  /** Gives the request up, unless its caller gets a notice first. */
  expired(request: PendingRequest, why: 'idle' | 'maximum'): void {
    if (this.#overdue.begin(request, why)) return
    const time = seconds(lasted(request, why))
    const text =
      why === 'idle'
        ? `The server did not answer ${request.method} within ${time}.`
        : `${request.method} was given up after ${time}, although it was still reporting progress.`
    const left = request.waitsUntil - this.#clock.now()
    const asked = left > 0 ? ` It had asked to wait another ${seconds(left)}.` : ''
    this.#giveUp(request, new RequestError('timeout', request.method, text + asked), 'The request timed out.')
  }

  /** Fails all pending requests with the reason (LIFE-39). */
  end(verdict: TransportError | undefined): void {
    if (this.#ended) return
    const code = verdict?.code === 'session-lost' ? 'session-lost' : 'closed'
    const message = verdict?.message ?? 'The connection is closed.'
    this.#ended = new RequestError(code, '', message, verdict && { cause: verdict })
    this.#deadlines.stop()
    this.#byToken.clear()
    this.#cancelled.clear()
    for (const request of [...this.#pending.values()]) {
      this.#settle(request, new RequestError(code, request.method, message, verdict && { cause: verdict }))
      request.wire?.abort()
    }
  }

  #find(id: unknown): PendingRequest | undefined {
    return isRequestId(id) ? this.#pending.get(id) : undefined
  }

  #forget(request: PendingRequest): void {
    this.#pending.delete(request.id)
    this.#signals.remove(request.options.signal, request)
    const { token } = request
    if (token !== undefined) {
      const { progressUntil } = request.options
      if (progressUntil) void progressUntil.then(() => this.#byToken.delete(token))
      else this.#byToken.delete(token)
    }
    this.#deadlines.forget(request)
    this.#overdue.forget(request)
  }

  #settle(request: PendingRequest, reason: unknown): void {
    if (!this.#pending.has(request.id)) return
    this.#forget(request)
    request.fail(reason)
  }

  /** Cancels a request, with a notification unless that is not allowed (CANC-02). Later messages for it are ignored (CANC-04). */
  #giveUp(request: PendingRequest, reason: unknown, text: string): void {
    if (!this.#pending.has(request.id)) return
    this.#forget(request)
    if (request.options.onLate) dropOldest(this.#cancelled.set(request.id, request), MAX_CANCELLED)
    const params = { requestId: request.id, reason: text }
    const notified =
      request.options.uncancellable || this.#transport.cancelsByClosing
        ? Promise.resolve()
        : this.#transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    // The stream of the reply is closed only after the notification (TRAN-36).
    const settled = notified.catch(() => {})
    void settled.then(() => request.wire?.abort(reason))
    request.options.onCancelling?.(settled)
    request.fail(reason)
  }
}

/** The result or the error of a response, which must have exactly one of them (MSG-17). */
function judge(message: Params, { method }: PendingRequest, limits: Limits): Params | Error {
  const { result, error } = message
  const invalid = (text: string) => new RequestError('invalid-result', method, text)
  if (message.jsonrpc !== '2.0') return invalid('The server’s answer is not JSON-RPC 2.0.')
  if (!('error' in message)) return isObject(result) ? result : invalid('The server’s answer has no result object.')
  if ('result' in message) return invalid('The server’s answer has both a result and an error.')
  if (!isObject(error) || !Number.isInteger(error.code) || typeof error.message !== 'string') {
    return invalid('The server answered with an error that has no code or message.')
  }
  try {
    bounded(error.data, 'The error', limits)
  } catch {
    return new ProtocolError(Number(error.code), error.message)
  }
  return new ProtocolError(Number(error.code), error.message, error.data)
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`
}
