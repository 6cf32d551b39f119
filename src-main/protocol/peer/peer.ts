import type { Clock } from '../../../src-shared/base/clock.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { ErrorCode, type JsonRpcMessage, ProtocolError, RequestError, type RequestId } from '../shapes/json-rpc.ts'
import type { Limits } from '../shapes/limits.ts'
import type { Cause } from './client-features.ts'
import { OwnRequests } from './own-requests.ts'
import type { RequestOptions } from './pending-request.ts'
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
const MAX_REMARK = 500

/** What, besides progress, is never dropped however much comes: it ends something, or changes what we know. */
const KEPT: ReadonlySet<string> = new Set([
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
  /** The server's requests, ping apart: refused until it has introduced itself, queued until `serve` (LIFE-13). */
  admission: 'refuse' | 'queue' | 'serve' = 'refuse'
  manners: Manners = { batches: false, progressMessages: false }
  /** When a message last came, in the clock's time: read once for each, since a look at the clock is a tenth of a small message. */
  lastReceived: number
  readonly #transport: Transport
  readonly #handlers: PeerHandlers
  readonly #clock: Clock
  readonly #limits: Limits
  readonly #onRemark: (text: string) => void
  readonly #own: OwnRequests
  readonly #served = new ServedRequests()
  readonly #budget: RateWindow
  readonly #remarks: RateWindow
  #queued: (() => void)[] = []
  #untaken = 0
  #ended = false
  #verdict: TransportError | undefined
  #resolveClosed: (error: TransportError | undefined) => void = () => {}

  constructor(options: PeerOptions) {
    const { transport, clock, limits } = options
    this.#transport = transport
    this.#handlers = options.handlers
    this.#clock = clock
    this.#limits = limits
    this.#onRemark = options.onRemark
    this.#own = new OwnRequests({ transport, clock, limits, remark: (text) => this.remark(text) })
    this.#budget = new RateWindow(limits.notificationsPerSecond)
    this.#remarks = new RateWindow(REMARKS_PER_SECOND)
    this.lastReceived = clock.now()
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve
    })
  }

  /** Requests of ours without an answer. */
  get pending(): number {
    return this.#own.size
  }

  get held(): boolean {
    return this.#own.held
  }

  start(): Promise<void> {
    return this.#transport.start({
      message: (value, arrival) => this.#receive(value, arrival),
      lost: (error, id) => this.#lost(error, id),
      closed: (error) => this.#end(error),
      remark: (text) => this.remark(text),
      waiting: (id, ms) => this.#own.waiting(id, ms),
    })
  }

  /** Tells the transport what was agreed. */
  negotiated(protocolVersion: string): void {
    this.#transport.negotiated?.(protocolVersion)
  }

  /**
   * Rejects with ProtocolError (the other side's error), RequestError, TransportError, or the signal's reason. The result is an
   * object whose shape nobody has judged yet.
   */
  request(method: string, params: Params | undefined, options: RequestOptions): Promise<Params> {
    return this.#own.send(method, params, options)
  }

  /** Resolves when the transport has taken it. */
  notify(method: string, params?: Params): Promise<void> {
    return this.#transport.send({ jsonrpc: '2.0', method, ...(params && { params }) })
  }

  /** Stops every deadline of this connection until released; counted. */
  hold(): () => void {
    return this.#own.hold()
  }

  /** Serves what waited for the handshake, and what comes from now on. */
  serve(): void {
    this.admission = 'serve'
    const queued = this.#queued
    this.#queued = []
    for (const run of queued) run()
  }

  remark(text: string): void {
    if (this.#remarks.pass(this.#clock.now())) this.#onRemark(text.length > MAX_REMARK ? `${text.slice(0, MAX_REMARK)}…` : text)
  }

  /** Ends the connection because of `error`, which `closed` then tells. */
  async break(error: TransportError): Promise<void> {
    this.#verdict ??= error
    await this.close().catch((failure: unknown) => this.remark(`The connection did not close cleanly: ${String(failure)}`))
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
    if (Array.isArray(value)) this.#batch(value, arrival)
    else this.#dispatch(value, arrival)
  }

  /** Members are answered one by one as each settles, so that a ping never waits for a person (MSG-36). */
  #batch(members: readonly unknown[], arrival: Arrival | undefined): void {
    if (!this.manners.batches) {
      this.remark('The server sent a batch, which this revision does not have; it was dropped.')
      const text = 'The server answered with a batch, which this revision does not have.'
      this.#own.fail(arrival?.requestId, (method) => new RequestError('invalid-result', method, text))
    } else if (members.length === 0 || members.length > this.#limits.maxItems) {
      this.remark(`The server sent a batch of ${members.length} messages; it was dropped.`)
    } else {
      for (const member of members) this.#dispatch(member, arrival)
    }
  }

  #dispatch(value: unknown, arrival: Arrival | undefined): void {
    if (!isObject(value)) {
      this.remark('The server sent something that is no message.')
      return
    }
    const { id, method } = value
    if (method === undefined && ('result' in value || 'error' in value)) this.#own.answered(value)
    else if (method === undefined && this.#own.has(id as RequestId | undefined)) {
      this.remark('The server answered a request with neither a result nor an error.')
      this.#own.answered(value)
    } else if (id === undefined) this.#notification(value)
    else if (isRequestId(id)) this.#request(id, value, arrival)
    else this.remark('The server sent a request with an id that is neither string nor integer; ignored.')
  }

  /** Nothing is ever said in return (MSG-10). */
  #notification({ jsonrpc, method, params = {} }: Params): void {
    if (typeof method !== 'string' || jsonrpc !== '2.0') {
      this.remark('The server sent a message that is neither request, notification nor response.')
    } else if (!isObject(params)) {
      if (this.#mayPass(method)) this.remark(`${method} came with params that are no object; ignored.`)
    } else if (method === 'notifications/progress') {
      this.#own.progressed(params, this.manners.progressMessages, this.lastReceived)
    } else if (this.#mayPass(method)) {
      if (method === 'notifications/cancelled') this.#cancelled(params)
      else this.#notified(method, params)
    }
  }

  #mayPass(method: string): boolean {
    if (KEPT.has(method) || this.#budget.pass(this.lastReceived)) return true
    const { dropped } = this.#budget
    if (dropped % 1000 === 1) this.remark(`The server sends too many notifications; ${dropped} were dropped.`)
    return false
  }

  #notified(method: string, params: Params): void {
    try {
      if (!this.#handlers.notified(method, params)) this.remark(`The server sent an unknown notification: ${method}.`)
    } catch (error) {
      this.remark(`${method} could not be handled: ${String(error)}`)
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

  #request(id: RequestId, message: Params, arrival: Arrival | undefined): void {
    const { jsonrpc, method, params = {} } = message
    const standing = this.#served.judge(id)
    if (standing === 'in flight') {
      // Any answer would be taken for the first one's (MSG-18).
      this.remark('The server reused the id of a request that is still open; the second was dropped.')
    } else if (standing === 'spent') {
      this.remark('The server reused the id of an answered request.')
      this.#refuse(id, ErrorCode.invalidRequest, 'This id was used before.')
    } else if (typeof method !== 'string' || jsonrpc !== '2.0' || (typeof id === 'string' && id.length > MAX_ID_LENGTH)) {
      this.#refuse(id, ErrorCode.invalidRequest, 'This is no valid JSON-RPC request.')
    } else if (method === 'ping') {
      this.#served.spend(id)
      this.#answer({ jsonrpc: '2.0', id, result: {} })
    } else if (!isObject(params)) {
      this.#refuse(id, ErrorCode.invalidParams, 'params must be an object.')
    } else if (this.admission === 'refuse') {
      this.#refuse(id, ErrorCode.invalidRequest, 'The session is not initialized.')
    } else if (this.#served.size >= this.#limits.maxServerRequests) {
      this.#refuse(id, ErrorCode.internal, 'Too many requests are open.')
    } else {
      const served = this.#served.open(id, method)
      const cause = this.#cause(served, arrival)
      if (this.admission === 'serve') void this.#run(served, params, cause)
      else this.#queued.push(() => void this.#run(served, params, cause))
    }
  }

  /** Time stands still for our own requests while one of the server's is worked on: a person may be reading. */
  async #run(served: ServedRequest, params: Params, cause: Cause): Promise<void> {
    if (cause.signal.aborted) return
    const { id, method } = served
    const release = this.#own.hold()
    cause.signal.addEventListener('abort', release, { once: true })
    try {
      const result = await this.#handlers.answer(method, params, cause)
      if (this.#served.take(served)) this.#answer({ jsonrpc: '2.0', id, result })
    } catch (error) {
      if (!this.#served.take(served)) return
      if (!(error instanceof ProtocolError)) this.remark(`${method} could not be answered: ${String(error)}`)
      const told =
        error instanceof ProtocolError ? error : new ProtocolError(ErrorCode.internal, `${method} could not be answered.`)
      const { code, message, data } = told
      this.#answer({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
    } finally {
      release()
    }
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
   * Which of our requests made the server ask: the one on whose stream it came; on a channel that tells nothing, the
   * only one in flight.
   */
  #cause(served: ServedRequest, arrival: Arrival | undefined): Cause {
    const candidates = this.#own.candidates()
    const told = arrival?.requestId
    const only = this.#transport.kind !== 'streamable-http' && candidates.length === 1 ? candidates[0] : undefined
    const requestId = this.#own.has(told) ? told : only
    return { signal: served.controller.signal, candidates, ...(requestId !== undefined && { requestId }) }
  }

  #lost(error: TransportError, id: RequestId | undefined): void {
    if (!this.#own.has(id)) {
      this.remark(error.message)
      return
    }
    const code = error.code === 'too-large' || error.code === 'session-lost' ? error.code : undefined
    this.#own.fail(id, (method) => (code ? new RequestError(code, method, error.message, { cause: error }) : error))
  }

  #end(error?: TransportError): void {
    if (this.#ended) return
    this.#ended = true
    const verdict = this.#verdict ?? error
    this.#queued = []
    this.#own.end(verdict)
    if (this.#served.size > 0) this.#served.endAll(new DOMException('The connection is closed.', 'AbortError'))
    this.#resolveClosed(verdict)
  }
}

/** Ids that we can give back exactly as they came: no fractions, nothing beyond what a double holds (MSG-02, SCHEMA-16). */
function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}
