import type { Progress } from '../../../src-shared/mcp/primitives.ts'
import type { RequestId } from '../shapes/json-rpc.ts'
import type { Expiring } from './deadline.ts'
import type { OnOverdue } from './overdue-notice.ts'
import type { Abortable } from './signal-watch.ts'

export interface RequestOptions {
  readonly signal: AbortSignal
  /** Milliseconds without an answer or progress. */
  readonly timeout: number
  /** Milliseconds in all, whatever the progress says. */
  readonly maxTime: number
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Told the id as soon as there is one. */
  readonly onSent?: ((id: RequestId) => void) | undefined
  /** Told when it is given up: the promise resolves when the other side has taken the word, or cannot be told (CANC-12). */
  readonly onCancelling?: ((told: Promise<void>) => void) | undefined
  /** With it a passed deadline is told, and the request goes on for one more idle time unless more is granted. */
  readonly onOverdue?: OnOverdue | undefined
  /** Its id, when it is no number: what names a subscription (V26-SUB-5). */
  readonly id?: string
  /** Stays open for what the server has to tell: the server may cancel it, too. */
  readonly subscription?: boolean
  /** Arguments that travel as headers, too, by header name; transports without headers ignore them. */
  readonly mirrored?: Readonly<Record<string, string>> | undefined
  /** The opening request of a connection is never cancelled on the wire (CANC-02). */
  readonly uncancellable?: boolean
  /** A request that never makes a server ask something back, like ping: no candidate for a cause. */
  readonly aside?: boolean
  /** Runs when the answer is read, before anything that comes after it; may throw to fail the request. */
  readonly onResult?: (result: Record<string, unknown>) => void
}

/** The peer as a pending request uses it. */
interface PendingOwner {
  aborted(request: PendingRequest, reason: unknown): void
  expired(request: PendingRequest, why: 'idle' | 'maximum'): void
}

/** One request of ours that waits for its answer. It is told of aborts and deadlines itself, so that a request costs no closures. */
export class PendingRequest implements Expiring, Abortable {
  readonly id: RequestId
  readonly method: string
  readonly options: RequestOptions
  readonly promise: Promise<Record<string, unknown>>
  /** Its progress token, when it asked for progress. */
  readonly token: number | undefined
  /** Lets an HTTP transport stop reading the reply's stream. */
  readonly wire: AbortController | undefined
  idle = 0
  idleAt = 0
  hardAt = 0
  startedAt = 0
  heardAt = 0
  /** Until when the server asked to wait before its answer goes on. */
  waitsUntil = 0
  lastProgress = Number.NEGATIVE_INFINITY
  readonly #owner: PendingOwner
  #resolve: (result: Record<string, unknown>) => void = () => {}
  #reject: (reason: unknown) => void = () => {}

  constructor(
    owner: PendingOwner,
    id: RequestId,
    method: string,
    options: RequestOptions,
    token: number | undefined,
    wire: AbortController | undefined,
  ) {
    this.#owner = owner
    this.id = id
    this.method = method
    this.options = options
    this.token = token
    this.wire = wire
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  aborted(reason: unknown): void {
    this.#owner.aborted(this, reason)
  }

  expire(why: 'idle' | 'maximum'): void {
    this.#owner.expired(this, why)
  }

  succeed(result: Record<string, unknown>): void {
    this.#resolve(result)
  }

  fail(reason: unknown): void {
    this.#reject(reason)
  }
}
