import { dropOldest } from '../../../src-shared/base/drop-oldest.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { ErrorCode, isRequestId, type JsonRpcMessage, type Params, ProtocolError, type RequestId } from '../shapes/json-rpc.ts'
import { CancelledByServer, type Cause } from './client-features.ts'
import type { OwnRequests, OwnRequestsOptions } from './own-requests.ts'
import { type Arrival, TransportError } from './transport.ts'

/** Answered ids that are remembered. A replay of an older one goes unnoticed and does no harm. */
const REMEMBERED_IDS = 4096
/** The most unsent answers: a server beyond it floods us and does not read. */
const MAX_UNTAKEN_ANSWERS = 10_000
const MAX_ID_LENGTH = 1024

interface ServedRequestsParts extends Omit<OwnRequestsOptions, 'clock'> {
  readonly own: OwnRequests
  /** A rejection with ProtocolError is sent as that error, any other as -32603. */
  readonly answer: (method: string, params: Params, cause: Cause) => Promise<Params>
  readonly giveUp: (error: TransportError) => void
}

interface Open {
  readonly id: RequestId
  readonly method: string
  readonly controller: AbortController
}

/**
 * The server's requests, from received to answered. Ids are compared by type and value, so `7` and `"7"` differ (MSG-05), and are
 * independent of ours (MSG-20).
 */
export class ServedRequests {
  /**
   * All but pings are refused until the server's introduction, then queued until `serve` (LIFE-13). The modern era has no server
   * requests and drops them (V26-STDIO-2, V26-HTTP-25).
   */
  admission: 'refuse' | 'queue' | 'serve' | 'drop' = 'refuse'
  readonly #parts: ServedRequestsParts
  readonly #open = new Map<RequestId, Open>()
  readonly #spent = new Set<RequestId>()
  #queued: (() => void)[] = []
  #untaken = 0
  #ended = false

  constructor(parts: ServedRequestsParts) {
    this.#parts = parts
  }

  receive(id: RequestId, message: Params, arrival: Arrival | undefined): void {
    const { jsonrpc, method, params = {} } = message
    if (this.admission === 'drop') {
      this.#parts.remark(
        `The server sent a request, ${String(method).slice(0, 100)}, which this revision does not have; it was dropped.`,
      )
    } else if (this.#open.has(id)) {
      // An answer would count for the first request (MSG-18).
      this.#parts.remark('The server reused the id of a request that is still open; the second was dropped.')
    } else if (this.#spent.has(id)) {
      this.#parts.remark('The server reused the id of an answered request.')
      this.#refuse(id, ErrorCode.invalidRequest, 'This id was used before.')
    } else if (typeof method !== 'string' || jsonrpc !== '2.0' || (typeof id === 'string' && id.length > MAX_ID_LENGTH)) {
      this.#refuse(id, ErrorCode.invalidRequest, 'This is not a valid JSON-RPC request.')
    } else if (method === 'ping') {
      this.#spend(id)
      this.#answer({ jsonrpc: '2.0', id, result: {} })
    } else if (!isObject(params)) {
      this.#refuse(id, ErrorCode.invalidParams, 'params must be an object.')
    } else if (this.admission === 'refuse') {
      this.#refuse(id, ErrorCode.invalidRequest, 'The session is not initialized.')
    } else if (this.#open.size >= this.#parts.limits.maxServerRequests) {
      this.#refuse(id, ErrorCode.internal, `Too many requests are open: ${this.#parts.limits.maxServerRequests} at most`)
    } else {
      const open: Open = { id, method, controller: new AbortController() }
      this.#open.set(id, open)
      const cause = this.#cause(open, arrival)
      if (this.admission === 'serve') void this.#run(open, params, cause)
      else this.#queued.push(() => void this.#run(open, params, cause))
    }
  }

  /** A side may only cancel its own requests (CANC-13). */
  cancelled({ requestId, reason }: Params): void {
    const open = isRequestId(requestId) ? this.#open.get(requestId) : undefined
    if (!open) {
      this.#parts.remark('The server cancelled a request that is not open; ignored.')
      return
    }
    this.#spend(open.id)
    const why = typeof reason === 'string' && reason !== '' ? `: ${reason.slice(0, 200)}` : ''
    this.#parts.remark(`The server cancelled its ${open.method}${why}`)
    open.controller.abort(new CancelledByServer(why))
  }

  /** Serves queued and later requests. */
  serve(): void {
    this.admission = 'serve'
    for (const run of this.#queued.splice(0)) run()
  }

  end(): void {
    this.#ended = true
    this.#queued = []
    const open = [...this.#open.values()]
    this.#open.clear()
    for (const { controller } of open) controller.abort(new DOMException('The connection is closed.', 'AbortError'))
  }

  /** Our deadlines pause while a server's request is open, since a person may be reading it. */
  async #run(open: Open, params: Params, cause: Cause): Promise<void> {
    if (cause.signal.aborted) return
    const { id, method } = open
    const { own, answer, remark } = this.#parts
    const release = own.hold()
    cause.signal.addEventListener('abort', release, { once: true })
    try {
      const result = await answer(method, params, cause)
      if (this.#take(open)) this.#answer({ jsonrpc: '2.0', id, result })
    } catch (error) {
      if (!this.#take(open)) return
      if (!(error instanceof ProtocolError)) remark(`${method} could not be answered: ${String(error)}`)
      const reported =
        error instanceof ProtocolError ? error : new ProtocolError(ErrorCode.internal, `${method} could not be answered.`)
      const { code, message, data } = reported
      this.#answer({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
    } finally {
      release()
    }
  }

  /** Takes the request for its answer; false when it was cancelled or the connection has ended. */
  #take(open: Open): boolean {
    if (this.#open.get(open.id) !== open) return false
    this.#spend(open.id)
    return true
  }

  #spend(id: RequestId): void {
    this.#open.delete(id)
    dropOldest(this.#spent.add(id), REMEMBERED_IDS)
  }

  #refuse(id: RequestId, code: number, message: string): void {
    this.#spend(id)
    this.#answer({ jsonrpc: '2.0', id, error: { code, message } })
  }

  #answer(message: JsonRpcMessage): void {
    if (++this.#untaken > MAX_UNTAKEN_ANSWERS) {
      this.#parts.giveUp(new TransportError('refused', 'The server keeps asking and does not read our answers.'))
      return
    }
    this.#parts.transport.send(message).then(
      () => this.#untaken--,
      (error: unknown) => {
        this.#untaken--
        if (!this.#ended) this.#parts.remark(`An answer could not be sent: ${String(error)}`)
      },
    )
  }

  /** Our request that caused it: the one of its stream, or else the only one in flight. */
  #cause({ controller }: Open, arrival: Arrival | undefined): Cause {
    const { own, transport } = this.#parts
    const candidates = own.candidates()
    const named = arrival?.requestId
    const only = transport.kind !== 'streamable-http' && candidates.length === 1 ? candidates[0] : undefined
    const requestId = own.has(named) ? named : only
    return { signal: controller.signal, candidates, ...(requestId !== undefined && { requestId }) }
  }
}
