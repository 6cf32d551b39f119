import { dropOldest } from '../../../src-shared/base/drop-oldest.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { ErrorCode, isRequestId, type JsonRpcMessage, type Params, ProtocolError, type RequestId } from '../shapes/json-rpc.ts'
import { CancelledByServer, type Cause } from './client-features.ts'
import type { OwnRequests, OwnRequestsOptions } from './own-requests.ts'
import { type Arrival, TransportError } from './transport.ts'

/** How many answered ids are remembered; older ones could be replayed unnoticed, which costs the server an answer, not us. */
const REMEMBERED_IDS = 4096
/** Answers of ours that the other side has not taken yet; a server beyond it floods us and reads nothing. */
const MAX_UNTAKEN_ANSWERS = 10_000
const MAX_ID_LENGTH = 1024

interface ServedRequestsParts extends Omit<OwnRequestsOptions, 'clock'> {
  readonly own: OwnRequests
  /** Rejects with ProtocolError to answer an error; anything else thrown answers -32603. */
  readonly answer: (method: string, params: Params, cause: Cause) => Promise<Params>
  readonly giveUp: (error: TransportError) => void
}

interface Open {
  readonly id: RequestId
  readonly method: string
  readonly controller: AbortController
}

/**
 * The server's requests in our hands, from received to answered. Ids are compared by type and value, so `7` and `"7"` are two
 * (MSG-05), and have nothing to do with ours (MSG-20).
 */
export class ServedRequests {
  /**
   * Ping apart they are refused until the server has introduced itself, and queued until `serve` (LIFE-13). The modern era has
   * none: they are dropped unanswered (V26-STDIO-2, V26-HTTP-25).
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
      // Any answer would be taken for the first one's (MSG-18).
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

  /** A cancel speaks of the sender's own requests only, so ours are never looked at (CANC-13). */
  cancelled({ requestId, reason }: Params): void {
    const open = isRequestId(requestId) ? this.#open.get(requestId) : undefined
    if (!open) {
      this.#parts.remark('The server cancelled a request that it has not open; ignored.')
      return
    }
    this.#spend(open.id)
    const why = typeof reason === 'string' && reason !== '' ? `: ${reason.slice(0, 200)}` : ''
    this.#parts.remark(`The server cancelled its ${open.method}${why}`)
    open.controller.abort(new CancelledByServer(why))
  }

  /** Serves what waited for the handshake, and what comes from now on. */
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

  /** Time stands still for our own requests while one of the server's is worked on: a person may be reading. */
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
      const told =
        error instanceof ProtocolError ? error : new ProtocolError(ErrorCode.internal, `${method} could not be answered.`)
      const { code, message, data } = told
      this.#answer({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
    } finally {
      release()
    }
  }

  /** True, and used up, when it still waits for its answer: it was not cancelled and the connection stands. */
  #take(open: Open): boolean {
    if (this.#open.get(open.id) !== open) return false
    this.#spend(open.id)
    return true
  }

  /** The id is used up, answered or not. */
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

  /**
   * Which of our requests made the server ask: the one on whose stream it came; on a channel that tells nothing, the only one in
   * flight.
   */
  #cause({ controller }: Open, arrival: Arrival | undefined): Cause {
    const { own, transport } = this.#parts
    const candidates = own.candidates()
    const told = arrival?.requestId
    const only = transport.kind !== 'streamable-http' && candidates.length === 1 ? candidates[0] : undefined
    const requestId = own.has(told) ? told : only
    return { signal: controller.signal, candidates, ...(requestId !== undefined && { requestId }) }
  }
}
