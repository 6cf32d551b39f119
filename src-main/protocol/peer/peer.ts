import type { Clock } from '../../../src-shared/base/clock.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { isRequestId, type Params, RequestError, type RequestId } from '../shapes/json-rpc.ts'
import type { Limits } from '../shapes/limits.ts'
import type { Cause } from './client-features.ts'
import { OwnRequests, type OwnRequestsOptions } from './own-requests.ts'
import type { RequestOptions } from './pending-request.ts'
import { RateWindow } from './rate-window.ts'
import { ServedRequests } from './served-requests.ts'
import type { Arrival, Transport, TransportError } from './transport.ts'

interface PeerHandlers {
  /** A rejection with ProtocolError is sent as that error, any other as -32603. */
  answer(method: string, params: Params, cause: Cause): Promise<Params>
  /** False for an unknown method. */
  notified(method: string, params: Params): boolean
}

/** Traits of the agreed revision that change how messages are handled. */
interface MessageTraits {
  /** 2025-03-26 only (MSG-26, MSG-32, MSG-33). */
  readonly batches: boolean
  /** Since 2025-03-26 (PROG-07). */
  readonly progressMessages: boolean
}

interface PeerOptions extends Omit<OwnRequestsOptions, 'remark'> {
  readonly handlers: PeerHandlers
  /** Gets warnings about the server, at most twenty a second. */
  readonly onRemark: (text: string) => void
}

const REMARKS_PER_SECOND = 20
const MAX_REMARK = 500

/** Notifications that are never dropped in a flood, like progress: they end something or announce a change. */
const KEPT: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/subscriptions/acknowledged',
  'notifications/elicitation/complete',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
])

/** Notifications that belong to requests, not to subscriptions (V26-SUB-15). */
const OF_REQUESTS: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/message'])

/** Our end of a full-duplex JSON-RPC connection. No await stops it from reading (TRAP-12). */
export class Peer {
  /** Resolves at the end of the connection, with the error if there was one. */
  readonly closed: Promise<TransportError | undefined>
  readonly served: ServedRequests
  traits: MessageTraits = { batches: false, progressMessages: false }
  /** The time of the last message. The clock is read once for each, since that costs a tenth of a small message. */
  lastReceived: number
  readonly #transport: Transport
  readonly #handlers: PeerHandlers
  readonly #clock: Clock
  readonly #limits: Limits
  readonly #onRemark: (text: string) => void
  readonly #own: OwnRequests
  readonly #budget: RateWindow
  readonly #remarks: RateWindow
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
    const remark = (text: string) => this.remark(text)
    this.#own = new OwnRequests({ transport, clock, limits, remark })
    this.served = new ServedRequests({
      transport,
      limits,
      remark,
      own: this.#own,
      answer: (method, params, cause) => options.handlers.answer(method, params, cause),
      giveUp: (error) => void this.break(error),
    })
    this.#budget = new RateWindow(limits.notificationsPerSecond)
    this.#remarks = new RateWindow(REMARKS_PER_SECOND)
    this.lastReceived = clock.now()
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve
    })
  }

  get overHttp(): boolean {
    return this.#transport.kind === 'streamable-http'
  }

  /** The number of our requests without an answer. */
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

  negotiated(protocolVersion: string): void {
    this.#transport.negotiated?.(protocolVersion)
  }

  /**
   * Rejects with ProtocolError (the server's error), RequestError, TransportError, or the signal's reason. The result is an
   * unchecked object.
   */
  request(method: string, params: Params | undefined, options: RequestOptions): Promise<Params> {
    return this.#own.send(method, params, options)
  }

  notify(method: string, params?: Params): Promise<void> {
    return this.#transport.send({ jsonrpc: '2.0', method, ...(params && { params }) })
  }

  remark(text: string): void {
    if (this.#remarks.pass(this.#clock.now())) this.#onRemark(text.length > MAX_REMARK ? `${text.slice(0, MAX_REMARK)}…` : text)
  }

  /** Ends the connection with `error`, to which `closed` resolves. */
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

  /** Members are answered separately, so that a ping never waits for a person (MSG-36). */
  #batch(members: readonly unknown[], arrival: Arrival | undefined): void {
    if (!this.traits.batches) {
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
      this.remark('The server sent something that is not a message.')
      return
    }
    const { id, method } = value
    if (method === undefined && ('result' in value || 'error' in value)) this.#own.answered(value)
    else if (method === undefined && this.#own.has(id as RequestId | undefined)) {
      this.remark('The server answered a request with neither a result nor an error.')
      this.#own.answered(value)
    } else if (id === undefined) this.#notification(value, arrival)
    else if (isRequestId(id)) this.served.receive(id, value, arrival)
    else this.remark('The server sent a request with an id that is neither a string nor an integer; ignored.')
  }

  /** Notifications are never answered (MSG-10). */
  #notification({ jsonrpc, method, params = {} }: Params, arrival: Arrival | undefined): void {
    if (typeof method !== 'string' || jsonrpc !== '2.0') {
      this.remark('The server sent a message that is neither request, notification nor response.')
    } else if (OF_REQUESTS.has(method) && this.#own.isSubscription(arrival?.requestId)) {
      if (this.#mayPass(method)) this.remark(`${method} came on a subscription’s stream; ignored.`)
    } else if (!isObject(params)) {
      if (this.#mayPass(method)) this.remark(`${method} came with params that are not an object; ignored.`)
    } else if (method === 'notifications/progress') {
      // Only in the modern era each request has a stream of its own.
      const on = this.#transport.cancelsByClosing ? arrival?.requestId : undefined
      this.#own.progressed(params, this.traits.progressMessages, this.lastReceived, on)
    } else if (this.#mayPass(method)) {
      if (method !== 'notifications/cancelled') this.#notified(method, params)
      else if (this.served.admission === 'drop') this.#own.cancelled(params)
      else this.served.cancelled(params)
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
    this.#own.end(verdict)
    this.served.end()
    this.#resolveClosed(verdict)
  }
}
