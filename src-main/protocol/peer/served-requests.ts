import type { RequestId } from '../shapes/json-rpc.ts'

/** How many answered ids are remembered; older ones could be replayed unnoticed, which costs the server an answer, not us. */
const REMEMBERED_IDS = 4096

export interface ServedRequest {
  readonly id: RequestId
  readonly method: string
  readonly controller: AbortController
}

/**
 * The server's requests in our hands, by id. Ids are compared by type and value, so `7` and `"7"` are two (MSG-05), and have
 * nothing to do with ours (MSG-20).
 */
export class ServedRequests {
  readonly #open = new Map<RequestId, ServedRequest>()
  readonly #spent = new Set<RequestId>()

  get size(): number {
    return this.#open.size
  }

  judge(id: RequestId): 'new' | 'in flight' | 'spent' {
    if (this.#open.has(id)) return 'in flight'
    return this.#spent.has(id) ? 'spent' : 'new'
  }

  open(id: RequestId, method: string): ServedRequest {
    const request = { id, method, controller: new AbortController() }
    this.#open.set(id, request)
    return request
  }

  /** The id is used up, answered or not. */
  spend(id: RequestId): void {
    this.#open.delete(id)
    this.#spent.add(id)
    if (this.#spent.size <= REMEMBERED_IDS) return
    for (const oldest of this.#spent) {
      this.#spent.delete(oldest)
      break
    }
  }

  /** True, and used up, when it still waits for its answer: it was not cancelled and the connection stands. */
  take(request: ServedRequest): boolean {
    if (this.#open.get(request.id) !== request) return false
    this.spend(request.id)
    return true
  }

  get(id: RequestId): ServedRequest | undefined {
    return this.#open.get(id)
  }

  endAll(reason: unknown): void {
    const open = [...this.#open.values()]
    this.#open.clear()
    for (const request of open) request.controller.abort(reason)
  }
}
