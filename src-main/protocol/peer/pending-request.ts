import type { Progress } from '../../../src-shared/mcp/primitives.ts'
import type { RequestId } from '../shapes/json-rpc.ts'
import type { Expiring } from './deadline.ts'
import type { OnOverdue } from './overdue-notice.ts'
import type { Abortable } from './signal-watch.ts'

export interface RequestOptions {
  readonly signal: AbortSignal
  /** Milliseconds without an answer or progress. */
  readonly timeout: number
  /** Milliseconds in all, in spite of progress. */
  readonly maxTime: number
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly onSent?: ((id: RequestId) => void) | undefined
  /** Called at cancellation. The promise resolves when the notification is sent or has failed (CANC-12). */
  readonly onCancelling?: ((notified: Promise<void>) => void) | undefined
  /** With it, a request past its deadline continues for one more idle time, and longer if granted. */
  readonly onOverdue?: OnOverdue | undefined
  /** The id of a subscription, which is a string (V26-SUB-5). */
  readonly id?: string
  /** A long stream of notifications, which the server may cancel, too. */
  readonly subscription?: boolean
  /** Arguments that HTTP also sends as headers, by header name. */
  readonly mirrored?: Readonly<Record<string, string>> | undefined
  /** True for the opening request, whose cancellation is not sent (CANC-02). */
  readonly uncancellable?: boolean
  /** True for requests such as ping, which never cause a request of the server. */
  readonly aside?: boolean
  /** Keeps the progress token after the answer, until it resolves. Never rejects. */
  readonly progressUntil?: Promise<void> | undefined
  /** Called with a result that arrives after the request was cancelled. False if it does not matter. */
  readonly onLate?: ((result: Record<string, unknown>) => boolean) | undefined
  /** Called with the result before any later message is handled. Throwing fails the request. */
  readonly onResult?: (result: Record<string, unknown>) => void
}

interface PendingOwner {
  aborted(request: PendingRequest, reason: unknown): void
  expired(request: PendingRequest, why: 'idle' | 'maximum'): void
}

/** A request of ours without an answer. It handles aborts and deadlines itself, which saves closures. */
export class PendingRequest implements Expiring, Abortable {
  readonly id: RequestId
  readonly method: string
  readonly options: RequestOptions
  readonly promise: Promise<Record<string, unknown>>
  readonly token: number | undefined
  /** Aborts an HTTP request, or the reading of its reply. */
  readonly wire: AbortController | undefined
  idle = 0
  idleAt = 0
  hardAt = 0
  startedAt = 0
  heardAt = 0
  /** The time until which the server asked to wait. */
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
