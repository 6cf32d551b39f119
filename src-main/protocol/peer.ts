import type { Clock } from '../../src-shared/base/clock.ts'
import { isObject } from '../../src-shared/base/json.ts'
import type { Progress } from '../../src-shared/mcp/primitives.ts'
import type { Cause } from './client-features.ts'
import { Deadlines } from './deadline.ts'
import { ErrorCode, type JsonRpcMessage, ProtocolError, RequestError, type RequestId } from './json-rpc.ts'
import { LimitError, type Limits } from './limits.ts'
import { PendingRequest, type RequestOptions } from './pending-request.ts'
import { RateWindow } from './rate-window.ts'
import { type ServedRequest, ServedRequests } from './served-requests.ts'
import { type Arrival, type Transport, TransportError } from './transport.ts'

export type Params = Record<string, unknown>

/** What a peer does with what the other side wants. */
export interface PeerHandlers {
  /** Rejects with ProtocolError to answer an error; anything else thrown answers -32603. */
  answer(method: string, params: Params, cause: Cause): Promise<Params>
  /** Returns false for a method that it does not know. */
  notified(method: string, params: Params): boolean
}

/** What the agreed revision changes in the envelope. */
export interface Manners {
  /** Arrays are received, in 2025-03-26 only (MSG-26, MSG-32, MSG-33). */
  readonly batches: boolean
  /** Progress has a text, since 2025-03-26 (PROG-07). */
  readonly progressMessages: boolean
}

export interface PeerOptions {
  readonly transport: Transport
  readonly handlers: PeerHandlers
  readonly clock: Clock
  readonly limits: Limits
  /** Oddities, in plain words, at most twenty a second. */
  readonly onRemark: (text: string) => void
}

/** Answers of ours that the other side has not taken yet; a server beyond it floods us and reads nothing. */
const MAX_UNTAKEN_ANSWERS = 10_000
const MAX_ID_LENGTH = 1024
const REMARKS_PER_SECOND = 20
/** What is dropped when too much comes; everything else changes what we know or ends something. */
const KEPT = new Set([
  'notifications/progress',
  'notifications/cancelled',
  'notifications/elicitation/complete',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
])

/** One end of a full duplex JSON-RPC connection. Nothing that it awaits ever keeps it from reading on (TRAP-12). */
export class Peer {
  /** Resolves when nothing more will come, with the reason if it was no orderly end. */
  readonly closed: Promise<TransportError | undefined>
  /**
   * The server's requests, ping apart: refused until it has introduced itself, queued until our `initialized` is out, then
   * served (LIFE-13).
   */
  admission: 'refuse' | 'queue' | 'serve' = 'refuse'
  manners: Manners = { batches: false, progressMessages: false }
  /** When a message last came, in the clock's time. */
  lastReceived: number
  readonly #transport: Transport
  readonly #handlers: PeerHandlers
  readonly #clock: Clock
  readonly #limits: Limits
  readonly #onRemark: (text: string) => void
  readonly #deadlines: Deadlines
  readonly #pending = new Map<number, PendingRequest>()
  readonly #byToken = new Map<number, PendingRequest>()
  readonly #served = new ServedRequests()
  readonly #budget: RateWindow
  readonly #remarks: RateWindow
  #queued: (() => void)[] = []
  #lastId = 0
  #lastToken = 0
  #untaken = 0
  #ended: RequestError | undefined
  #verdict: TransportError | undefined
  #resolveClosed: (error: TransportError | undefined) => void = () => {}

  constructor(options: PeerOptions) {
    this.#transport = options.transport
    this.#handlers = options.handlers
    this.#clock = options.clock
    this.#limits = options.limits
    this.#onRemark = options.onRemark
    this.#deadlines = new Deadlines(options.clock)
    this.#budget = new RateWindow(options.clock, options.limits.notificationsPerSecond)
    this.#remarks = new RateWindow(options.clock, REMARKS_PER_SECOND)
    this.lastReceived = options.clock.now()
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve
    })
  }

  get transportKind(): Transport['kind'] {
    return this.#transport.kind
  }

  /** Requests of ours without an answer. */
  get pending(): number {
    return this.#pending.size
  }

  /** Notifications dropped because too many came. */
  get dropped(): number {
    return this.#budget.dropped
  }

  get held(): boolean {
    return this.#deadlines.held
  }

  start(): Promise<void> {
    return this.#transport.start({
      message: (value, arrival) => this.#receive(value, arrival),
      lost: (error, id) => this.#lost(error, id),
      closed: (error) => this.#end(error),
      remark: (text) => this.remark(text),
    })
  }

  /** Tells the transport what was agreed, then serves by it. */
  negotiated(revision: string): void {
    this.#transport.negotiated?.(revision)
  }

  /**
   * Rejects with ProtocolError (the other side's error), RequestError, TransportError, or the signal's reason. The result is an
   * object whose shape nobody has judged yet.
   */
  async request(method: string, params: Params | undefined, options: RequestOptions): Promise<Params> {
    options.signal.throwIfAborted()
    if (this.#ended) throw new RequestError(this.#ended.code, method, this.#ended.message, { cause: this.#ended.cause })
    const allowed = this.#limits.maxPendingRequests
    if (this.#pending.size >= allowed) {
      const message = `${allowed} requests are waiting for this server already.`
      throw new RequestError('too-many-pending', method, message, {
        cause: new LimitError('maxPendingRequests', allowed, message),
      })
    }
    const token = options.onProgress ? ++this.#lastToken : undefined
    const http = this.#transport.kind === 'streamable-http' || this.#transport.kind === 'http-sse'
    const wire = http ? new AbortController() : undefined
    const request = new PendingRequest(this, ++this.#lastId, method, options, token, wire)
    this.#pending.set(request.id, request)
    if (token !== undefined) this.#byToken.set(token, request)
    this.#deadlines.watch(request, options.timeout, options.maxTime)
    const sent = token === undefined ? params : { ...params, _meta: { progressToken: token } }
    options.onSent?.(request.id)
    this.#transport
      .send({ jsonrpc: '2.0', id: request.id, method, ...(sent && { params: sent }) }, wire && { signal: wire.signal })
      .catch((error: unknown) => this.#fail(request, error))
    return request.promise
  }

  /** Resolves when the transport has taken it. */
  notify(method: string, params?: Params): Promise<void> {
    return this.#transport.send({ jsonrpc: '2.0', method, ...(params && { params }) })
  }

  /** Stops every deadline of this connection until released; counted. */
  hold(): () => void {
    return this.#deadlines.hold()
  }

  /** Serves what waited for the handshake. */
  serve(): void {
    this.admission = 'serve'
    const queued = this.#queued
    this.#queued = []
    for (const run of queued) run()
  }

  remark(text: string): void {
    if (this.#remarks.pass()) this.#onRemark(text.length > 500 ? `${text.slice(0, 500)}…` : text)
  }

  /** Ends the connection because of `error`, which `closed` then tells. */
  async break(error: TransportError): Promise<void> {
    this.#verdict ??= error
    await this.close()
  }

  async close(): Promise<void> {
    try {
      await this.#transport.close()
    } finally {
      this.#end()
    }
  }

  #receive(value: unknown, arrival: Arrival | undefined): void {
    this.lastReceived = this.#clock.now()
    if (!Array.isArray(value)) {
      this.#dispatch(value, arrival)
      return
    }
    if (!this.manners.batches) {
      this.remark('The server sent a batch, which this revision does not have; it was dropped.')
      const answered = this.#pendingOf(arrival?.requestId)
      if (answered) this.#fail(answered, invalid(answered.method, 'The server answered with a batch.'))
      return
    }
    if (value.length === 0 || value.length > this.#limits.maxItems) {
      this.remark(`The server sent a batch of ${value.length} messages; it was dropped.`)
      return
    }
    for (const member of value) {
      if (Array.isArray(member)) this.remark('The server sent a batch within a batch; it was dropped.')
      else this.#dispatch(member, arrival)
    }
  }

  #dispatch(value: unknown, arrival: Arrival | undefined): void {
    if (!isObject(value)) {
      this.remark('The server sent something that is no message.')
      return
    }
    const { id, method } = value
    if (method === undefined && ('result' in value || 'error' in value)) {
      this.#settle(value)
      return
    }
    if (id === undefined) {
      if (typeof method === 'string' && value.jsonrpc === '2.0') this.#notification(method, value.params)
      else this.remark('The server sent a message that is neither request, notification nor response.')
      return
    }
    if (!isRequestId(id)) {
      this.remark('The server sent a request with an id that is neither string nor integer.')
      return
    }
    if (typeof method !== 'string' || value.jsonrpc !== '2.0') {
      this.#refuse(id, ErrorCode.invalidRequest, 'This is no valid JSON-RPC request.')
      return
    }
    this.#request(id, method, value.params, arrival)
  }

  #settle(message: Params): void {
    const request = this.#pendingOf(message.id)
    if (!request) {
      this.remark(`The server answered a request that is not waiting: ${describeId(message.id)}.`)
      return
    }
    const { result, error } = message
    if (message.jsonrpc !== '2.0') {
      this.#fail(request, invalid(request.method, 'The server’s answer is not JSON-RPC 2.0.'))
      return
    }
    if ('error' in message) {
      if ('result' in message) {
        this.#fail(request, invalid(request.method, 'The server’s answer has both a result and an error.'))
        return
      }
      if (!isObject(error) || !Number.isInteger(error.code) || typeof error.message !== 'string') {
        this.#fail(request, invalid(request.method, 'The server answered with an error that has no code or message.'))
        return
      }
      this.#fail(request, new ProtocolError(Number(error.code), error.message, error.data))
      return
    }
    if (!isObject(result)) {
      this.#fail(request, invalid(request.method, 'The server’s answer has no result object.'))
      return
    }
    try {
      request.options.onResult?.(result)
    } catch (reason) {
      this.#fail(request, reason)
      return
    }
    this.#forget(request)
    request.succeed(result)
  }

  #notification(method: string, raw: unknown): void {
    if (!KEPT.has(method) && !this.#budget.pass()) {
      if (this.#budget.dropped % 1000 === 1) {
        this.remark(`The server sends too many notifications; ${this.#budget.dropped} were dropped.`)
      }
      return
    }
    if (raw !== undefined && !isObject(raw)) {
      this.remark(`${method} came with params that are no object; ignored.`)
      return
    }
    const params = raw ?? {}
    if (method === 'notifications/progress') {
      this.#progress(params)
      return
    }
    if (method === 'notifications/cancelled') {
      this.#cancelled(params)
      return
    }
    try {
      if (!this.#handlers.notified(method, params)) this.remark(`The server sent an unknown notification: ${method}.`)
    } catch (error) {
      this.remark(`${method} could not be handled: ${String(error)}`)
    }
  }

  #progress({ progressToken, progress, total, message }: Params): void {
    const request = typeof progressToken === 'number' ? this.#byToken.get(progressToken) : undefined
    if (!request) {
      this.remark('The server reported progress for nothing that is under way.')
      return
    }
    if (typeof progress !== 'number' || !Number.isFinite(progress) || progress <= request.lastProgress) {
      this.remark('The server reported progress that does not rise; ignored.')
      return
    }
    request.lastProgress = progress
    this.#deadlines.touch(request)
    const text = this.manners.progressMessages && typeof message === 'string'
    const update: Progress = {
      progress,
      ...(typeof total === 'number' && Number.isFinite(total) && { total }),
      ...(text && { message: message.slice(0, this.#limits.maxLabelLength) }),
    }
    try {
      request.options.onProgress?.(update)
    } catch (error) {
      this.remark(`A progress report could not be handled: ${String(error)}`)
    }
  }

  /** A cancel speaks of the sender's own requests only, so ours are never looked at (CANC-13). */
  #cancelled({ requestId, reason }: Params): void {
    const served = isRequestId(requestId) ? this.#served.get(requestId) : undefined
    if (!served) {
      this.remark('The server cancelled a request that it has not open; ignored.')
      return
    }
    this.#served.spend(served.id)
    const why = typeof reason === 'string' && reason !== '' ? `: ${reason.slice(0, 200)}` : ''
    this.remark(`The server cancelled its ${served.method}${why}`)
    served.controller.abort(new DOMException(`The server cancelled it${why}`, 'AbortError'))
  }

  #request(id: RequestId, method: string, raw: unknown, arrival: Arrival | undefined): void {
    if (typeof id === 'string' && id.length > MAX_ID_LENGTH) {
      this.#refuse(id, ErrorCode.invalidRequest, 'The id is too long.')
      return
    }
    const standing = this.#served.judge(id)
    if (standing === 'in flight') {
      // Any answer would be taken for the first one's (MSG-18).
      this.remark(`The server reused the id ${describeId(id)} while its request is open; the second was dropped.`)
      return
    }
    if (standing === 'spent') {
      this.remark(`The server reused the id ${describeId(id)} of an answered request.`)
      this.#refuse(id, ErrorCode.invalidRequest, 'This id was used before.')
      return
    }
    if (method === 'ping') {
      this.#served.spend(id)
      this.#answer({ jsonrpc: '2.0', id, result: {} })
      return
    }
    if (raw !== undefined && !isObject(raw)) {
      this.#refuse(id, ErrorCode.invalidParams, 'params must be an object.')
      return
    }
    if (this.admission === 'refuse') {
      this.#refuse(id, ErrorCode.invalidRequest, 'The session is not initialized.')
      return
    }
    if (this.#served.size >= this.#limits.maxServerRequests) {
      this.#refuse(id, ErrorCode.internal, 'Too many requests are open.')
      return
    }
    const served = this.#served.open(id, method)
    const cause = this.#cause(served, arrival)
    if (this.admission === 'serve') void this.#run(served, raw ?? {}, cause)
    else this.#queued.push(() => void this.#run(served, raw ?? {}, cause))
  }

  async #run(served: ServedRequest, params: Params, cause: Cause): Promise<void> {
    if (cause.signal.aborted) return
    const release = this.#deadlines.hold()
    try {
      const result = await this.#handlers.answer(served.method, params, cause)
      if (this.#take(served)) this.#answer({ jsonrpc: '2.0', id: served.id, result })
    } catch (error) {
      if (!this.#take(served)) return
      if (!(error instanceof ProtocolError)) this.remark(`${served.method} could not be answered: ${String(error)}`)
      const { code, message, data } =
        error instanceof ProtocolError ? error : new ProtocolError(ErrorCode.internal, `${served.method} could not be answered.`)
      this.#answer({ jsonrpc: '2.0', id: served.id, error: { code, message, ...(data !== undefined && { data }) } })
    } finally {
      release()
    }
  }

  /** True when the request still waits for its answer: it was not cancelled and the connection stands. */
  #take(served: ServedRequest): boolean {
    if (this.#served.get(served.id) !== served) return false
    this.#served.spend(served.id)
    return true
  }

  #refuse(id: RequestId, code: number, message: string): void {
    this.#served.spend(id)
    this.#answer({ jsonrpc: '2.0', id, error: { code, message } })
  }

  #answer(message: JsonRpcMessage): void {
    if (++this.#untaken > MAX_UNTAKEN_ANSWERS) {
      void this.break(new TransportError('refused', 'The server keeps asking and does not read our answers.'))
      return
    }
    this.#transport.send(message).then(
      () => this.#untaken--,
      (error: unknown) => {
        this.#untaken--
        if (!this.#ended) this.remark(`An answer could not be sent: ${String(error)}`)
      },
    )
  }

  /**
   * Which of our requests made the server ask (ruling 13): the one on whose stream it came; on a channel that tells nothing, the
   * only one in flight.
   */
  #cause(served: ServedRequest, arrival: Arrival | undefined): Cause {
    const candidates: number[] = []
    for (const request of this.#pending.values()) if (!request.options.aside) candidates.push(request.id)
    const told = this.#pendingOf(arrival?.requestId)?.id
    const only = this.#transport.kind !== 'streamable-http' && candidates.length === 1 ? candidates[0] : undefined
    const requestId = told ?? only
    return { signal: served.controller.signal, candidates, ...(requestId !== undefined && { requestId }) }
  }

  #pendingOf(id: unknown): PendingRequest | undefined {
    return typeof id === 'number' ? this.#pending.get(id) : undefined
  }

  #forget(request: PendingRequest): void {
    this.#pending.delete(request.id)
    if (request.token !== undefined) this.#byToken.delete(request.token)
    this.#deadlines.forget(request)
  }

  #fail(request: PendingRequest, reason: unknown): void {
    if (!this.#pending.has(request.id)) return
    this.#forget(request)
    request.fail(reason)
  }

  /** Gives a request up and says so, unless it must not be said (CANC-02). What still comes for it is ignored (CANC-04). */
  #giveUp(request: PendingRequest, reason: unknown, said: string): void {
    if (!this.#pending.has(request.id)) return
    this.#forget(request)
    const told = request.options.uncancellable
      ? Promise.resolve()
      : this.notify('notifications/cancelled', { requestId: request.id, reason: said })
    // The stream of the reply is dropped only after the word is out (TRAN-36).
    void told.catch(() => {}).then(() => request.wire?.abort(reason))
    request.fail(reason)
  }

  /** @internal For PendingRequest. */
  aborted(request: PendingRequest): void {
    this.#giveUp(request, request.options.signal.reason, 'The client no longer needs it.')
  }

  /** @internal For PendingRequest. */
  expired(request: PendingRequest, why: 'idle' | 'maximum'): void {
    const { timeout, maxTime } = request.options
    const text =
      why === 'idle'
        ? `The server did not answer ${request.method} within ${seconds(timeout)}.`
        : `${request.method} was given up after ${seconds(Math.max(timeout, maxTime))}, although it was still reporting progress.`
    this.#giveUp(request, new RequestError('timeout', request.method, text), 'The request timed out.')
  }

  #lost(error: TransportError, id: RequestId | undefined): void {
    const request = this.#pendingOf(id)
    if (!request) {
      this.remark(error.message)
      return
    }
    const code = error.code === 'too-large' || error.code === 'session-lost' ? error.code : undefined
    this.#fail(request, code ? new RequestError(code, request.method, error.message, { cause: error }) : error)
  }

  #end(error?: TransportError): void {
    if (this.#ended) return
    const verdict = this.#verdict ?? error
    const code = verdict?.code === 'session-lost' ? 'session-lost' : 'closed'
    this.#ended = new RequestError(code, '', verdict?.message ?? 'The connection is closed.', verdict && { cause: verdict })
    this.#deadlines.stop()
    this.#queued = []
    for (const request of [...this.#pending.values()]) {
      this.#fail(request, new RequestError(code, request.method, this.#ended.message, verdict && { cause: verdict }))
      request.wire?.abort()
    }
    this.#served.endAll(new DOMException('The connection is closed.', 'AbortError'))
    this.#resolveClosed(verdict)
  }
}

/** Ids that we can give back exactly as they came: no fractions, nothing beyond what a double holds (MSG-02, SCHEMA-16). */
function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function describeId(id: unknown): string {
  return typeof id === 'string' ? JSON.stringify(id.slice(0, 40)) : typeof id === 'number' ? String(id) : 'none'
}

function invalid(method: string, message: string): RequestError {
  return new RequestError('invalid-result', method, message)
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`
}
