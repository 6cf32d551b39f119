import { type Clock, jittered } from '../../src-shared/base/clock.ts'
import { dropOldest } from '../../src-shared/base/drop-oldest.ts'
import type { Session } from '../protocol/era.ts'
import { ErrorCode, type Params, ProtocolError, RequestError } from '../protocol/shapes/json-rpc.ts'

/** The notifications of a stream, as in `subscriptions/listen`. */
export interface SubscriptionFilter {
  readonly toolsListChanged?: true
  readonly promptsListChanged?: true
  readonly resourcesListChanged?: true
  readonly resourceSubscriptions?: readonly string[]
}

/** Milliseconds for the acknowledgement (V26-SUB-4). */
const ACKNOWLEDGE = 10_000
/** Milliseconds before an ended stream is opened again, doubled each time (V26-SUB-11). */
const FIRST_WAIT = 1000
const MAX_WAIT = 48_000
/** Late notifications come on the last few streams at most. */
const MAX_REPLACED = 8
/** A stream that ends within this many milliseconds has failed; after some in a row no other is opened. */
const SHORT_LIFE = 1000
const MAX_SHORT = 3

interface Stream {
  readonly id: string
  readonly filter: SubscriptionFilter
  readonly controller: AbortController
  readonly openedAt: number
  confirmed?: SubscriptionFilter
  ended: boolean
  cancelWait: () => void
}

export interface ListenStreamParts {
  readonly clock: Clock
  readonly listen: NonNullable<Session['listen']>
  readonly nextId: () => string
  /** Called when the confirmed part changes; undefined without a stream. `missed`: changes may have been missed. */
  readonly onConfirmed: (confirmed: SubscriptionFilter | undefined, missed: boolean) => void
  readonly onRemark: (text: string) => void
  readonly random?: () => number
}

/** A lasting subscription: opened again when it ends, and replaced without a gap when the filter changes. */
export class ListenStream {
  readonly #parts: ListenStreamParts
  #wanted: SubscriptionFilter | undefined
  #live: Stream | undefined
  /** The stream that waits for its acknowledgement. */
  #next: Stream | undefined
  /** Ids of streams that we ended. Late notifications on them also came on the new stream. */
  readonly #replaced = new Set<string>()
  #waiters: { resolve: (confirmed: SubscriptionFilter) => void; reject: (reason: unknown) => void }[] = []
  #cancelReopen: (() => void) | undefined
  #wait = FIRST_WAIT
  #shortLives = 0
  #lost = false
  /** Set when no stream will be opened any more. */
  #over: RequestError | undefined

  constructor(parts: ListenStreamParts) {
    this.#parts = parts
  }

  /** True if unconfirmed notifications will not come: no stream is being opened. */
  get settled(): boolean {
    return this.#live !== undefined || (this.#next === undefined && this.#cancelReopen === undefined)
  }

  get confirmed(): SubscriptionFilter | undefined {
    return this.#live?.confirmed
  }

  /** Resolves with the confirmed part once the server acknowledges it; rejects without a stream. */
  want(filter: SubscriptionFilter): Promise<SubscriptionFilter> {
    this.#wanted = filter
    if (this.#over) return Promise.reject(this.#over)
    const waiting = new Promise<SubscriptionFilter>((resolve, reject) => this.#waiters.push({ resolve, reject }))
    if (!this.#next && !this.#cancelReopen) this.#open()
    else if (this.#cancelReopen) this.#fail(closedError('The server ended its subscription.'))
    return waiting
  }

  cancel(): void {
    this.#wanted = undefined
    this.#cancelReopen?.()
    this.#cancelReopen = undefined
    for (const stream of [this.#next, this.#live]) if (stream) this.#replace(stream)
    this.#next = undefined
    this.#live = undefined
    this.#fail(closedError('The subscription is no longer wanted.'))
  }

  /** Opens the stream again, after a change of account. */
  renew(): void {
    const filter = this.#wanted
    if (!filter) return
    for (const stream of [this.#next, this.#live]) if (stream) this.#replace(stream)
    if (this.#live) this.#lost = true
    this.#next = undefined
    this.#live = undefined
    this.#cancelReopen?.()
    this.#cancelReopen = undefined
    this.#over = undefined
    this.#shortLives = 0
    this.#wait = FIRST_WAIT
    this.#open()
  }

  stop(): void {
    this.#over ??= closedError('The connection is closed.')
    this.cancel()
  }

  /** The stream of a notification with this subscription id. */
  streamOf(id: string | number | undefined): 'live' | 'early' | 'replaced' | undefined {
    if (id === undefined) return undefined
    if (id === this.#live?.id) return 'live'
    if (id === this.#next?.id) return 'early'
    return typeof id === 'string' && this.#replaced.has(id) ? 'replaced' : undefined
  }

  acknowledged(notifications: Params): void {
    const stream = this.#next
    if (!stream) return
    stream.cancelWait()
    stream.confirmed = confirmedPart(stream.filter, notifications)
    const before = this.#live
    this.#live = stream
    this.#next = undefined
    if (before) this.#replace(before)
    const missed = this.#lost
    this.#lost = false
    this.#parts.onConfirmed(stream.confirmed, missed)
    if (stream.filter !== this.#wanted) this.#open()
    else {
      const waiters = this.#waiters
      this.#waiters = []
      for (const { resolve } of waiters) resolve(stream.confirmed)
    }
  }

  #open(): void {
    const filter = this.#wanted
    if (!filter || this.#over) return
    const { clock, listen, nextId } = this.#parts
    const controller = new AbortController()
    const stream: Stream = { id: nextId(), filter, controller, openedAt: clock.now(), ended: false, cancelWait: () => {} }
    stream.cancelWait = clock.after(ACKNOWLEDGE, () => {
      const text = 'The server did not acknowledge the subscription within 10 s.'
      this.#finished(stream, new RequestError('timeout', 'subscriptions/listen', text), true)
    })
    this.#next = stream
    const forever = Number.POSITIVE_INFINITY
    const options = { id: stream.id, signal: controller.signal, timeout: forever, maxTime: forever }
    listen({ ...filter }, options).then(
      () => this.#finished(stream, closedError('The server ended the subscription.'), false),
      (error: unknown) => this.#finished(stream, error, error instanceof ProtocolError),
    )
  }

  /** Handles the first of several possible ends (V26-SUB-10). A `refused` filter is not tried again. */
  #finished(stream: Stream, error: unknown, refused: boolean): void {
    if (stream.ended) return
    this.#end(stream)
    const wasLive = stream === this.#live
    if (wasLive) this.#live = undefined
    else this.#next = undefined
    if (wasLive) this.#lost = true
    if (!this.#over && this.#wanted) this.#reopen(stream, error, refused)
    this.#parts.onConfirmed(this.#live?.confirmed, false)
  }

  #reopen(stream: Stream, error: unknown, refused: boolean): void {
    const { clock, onRemark } = this.#parts
    const lived = clock.now() - stream.openedAt
    this.#shortLives = lived < SHORT_LIFE && lived >= 0 ? this.#shortLives + 1 : 0
    const text = error instanceof Error ? error.message.slice(0, 300) : 'something unexpected happened.'
    const noSuch = error instanceof ProtocolError && error.code === ErrorCode.methodNotFound
    const silent = error instanceof RequestError && error.code === 'timeout'
    if (noSuch || silent || this.#shortLives >= MAX_SHORT) {
      onRemark(`The server does not report changes: ${text}`)
      this.#over = closedError(text)
      this.#fail(error)
      return
    }
    if (refused) {
      onRemark(`The server refused a subscription: ${text}`)
      if (stream.filter === this.#wanted) this.#fail(error)
      else this.#open()
      return
    }
    // A replacement is being opened already.
    if (this.#next) return
    this.#fail(error)
    if (lived >= MAX_WAIT) this.#wait = FIRST_WAIT
    const wait = jittered(this.#wait, this.#parts.random)
    this.#wait = Math.min(MAX_WAIT, this.#wait * 2)
    this.#cancelReopen = clock.after(wait, () => {
      this.#cancelReopen = undefined
      this.#open()
    })
  }

  #replace(stream: Stream): void {
    dropOldest(this.#replaced.add(stream.id), MAX_REPLACED)
    this.#end(stream)
  }

  #end(stream: Stream): void {
    stream.ended = true
    stream.cancelWait()
    stream.controller.abort(new DOMException('The subscription is no longer needed.', 'AbortError'))
  }

  #fail(reason: unknown): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const { reject } of waiters) reject(reason)
  }
}

/** The part of the filter that the answer confirms; anything else in the answer is ignored. */
function confirmedPart(filter: SubscriptionFilter, notifications: Params): SubscriptionFilter {
  const { resourceSubscriptions } = notifications
  const named = new Set<unknown>(Array.isArray(resourceSubscriptions) ? resourceSubscriptions : [])
  return {
    ...(filter.toolsListChanged && notifications.toolsListChanged === true && { toolsListChanged: true }),
    ...(filter.promptsListChanged && notifications.promptsListChanged === true && { promptsListChanged: true }),
    ...(filter.resourcesListChanged && notifications.resourcesListChanged === true && { resourcesListChanged: true }),
    ...(filter.resourceSubscriptions && { resourceSubscriptions: filter.resourceSubscriptions.filter((uri) => named.has(uri)) }),
  }
}

function closedError(text: string): RequestError {
  return new RequestError('closed', 'subscriptions/listen', text)
}
