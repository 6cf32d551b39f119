import { type Clock, jittered } from '../../src-shared/base/clock.ts'
import type { Session } from '../protocol/era.ts'
import { ErrorCode, type Params, ProtocolError, RequestError } from '../protocol/shapes/json-rpc.ts'

/** The subjects of a stream, as `subscriptions/listen` names them. */
export interface Wish {
  readonly toolsListChanged?: true
  readonly promptsListChanged?: true
  readonly resourcesListChanged?: true
  readonly resourceSubscriptions?: readonly string[]
}

/** Milliseconds for the acknowledgement (V26-SUB-4). */
const ACKNOWLEDGE = 10_000
/** Milliseconds before a stream that ended is opened again, doubled each time (V26-SUB-11). */
const FIRST_WAIT = 1000
const MAX_WAIT = 48_000
/** A stream that ends sooner than this was none; so many of them in a row are enough. */
const HASTY = 1000
const MAX_HASTY = 3

interface Stream {
  readonly id: string
  readonly wish: Wish
  readonly controller: AbortController
  readonly openedAt: number
  /** The subjects that the server confirmed. */
  honoured?: Wish
  ended: boolean
  cancelWait: () => void
}

interface ListenStreamParts {
  readonly clock: Clock
  readonly listen: NonNullable<Session['listen']>
  readonly nextId: () => string
  /** The confirmed subjects have changed: undefined when there are none. `again` when changes may have been missed. */
  readonly onHonoured: (honoured: Wish | undefined, again: boolean) => void
  readonly onRemark: (text: string) => void
  /** Between 0 and 1. */
  readonly random?: () => number
}

/** One subscription that lasts: opened again when it ends, and replaced without a gap when other things are wanted. */
export class ListenStream {
  readonly #parts: ListenStreamParts
  #wanted: Wish | undefined
  /** Acknowledged. */
  #live: Stream | undefined
  /** Waits for its acknowledgement. */
  #next: Stream | undefined
  /** Ids of streams that we ended: what still comes on them was told on the one that took their place. */
  readonly #replaced = new Set<string>()
  #waiters: { resolve: (honoured: Wish) => void; reject: (reason: unknown) => void }[] = []
  #cancelReopen: (() => void) | undefined
  #wait = FIRST_WAIT
  #hasty = 0
  #lost = false
  /** Why there is no stream on this connection any more. */
  #over: RequestError | undefined

  constructor(parts: ListenStreamParts) {
    this.#parts = parts
  }

  /** True if subjects that are not confirmed will not come: nothing is being opened, or waits to be. */
  get settled(): boolean {
    return this.#live !== undefined || (this.#next === undefined && this.#cancelReopen === undefined)
  }

  get honoured(): Wish | undefined {
    return this.#live?.honoured
  }

  /** Resolves with what will be told once the server has acknowledged it; rejects when there is no stream. */
  want(wish: Wish): Promise<Wish> {
    this.#wanted = wish
    if (this.#over) return Promise.reject(this.#over)
    const waiting = new Promise<Wish>((resolve, reject) => this.#waiters.push({ resolve, reject }))
    if (!this.#next && !this.#cancelReopen) this.#open()
    else if (this.#cancelReopen)
      this.#fail(new RequestError('closed', 'subscriptions/listen', 'The server ended its subscription.'))
    return waiting
  }

  /** Nothing is wanted any more. */
  cancel(): void {
    this.#wanted = undefined
    this.#cancelReopen?.()
    this.#cancelReopen = undefined
    for (const stream of [this.#next, this.#live]) if (stream) this.#replace(stream)
    this.#next = undefined
    this.#live = undefined
    this.#fail(new RequestError('closed', 'subscriptions/listen', 'The subscription is no longer wanted.'))
  }

  /** The account has changed: streams of the earlier one are opened again, whatever became of them. */
  renew(): void {
    const wish = this.#wanted
    if (!wish) return
    for (const stream of [this.#next, this.#live]) if (stream) this.#replace(stream)
    if (this.#live) this.#lost = true
    this.#next = undefined
    this.#live = undefined
    this.#cancelReopen?.()
    this.#cancelReopen = undefined
    this.#over = undefined
    this.#hasty = 0
    this.#wait = FIRST_WAIT
    this.#open()
  }

  /** For good. */
  stop(): void {
    this.#over ??= new RequestError('closed', 'subscriptions/listen', 'The connection is closed.')
    this.cancel()
  }

  /** The meaning of a notification with this id for this subscription. */
  whose(id: string | number | undefined): 'live' | 'early' | 'replaced' | undefined {
    if (id === undefined) return undefined
    if (id === this.#live?.id) return 'live'
    if (id === this.#next?.id) return 'early'
    return typeof id === 'string' && this.#replaced.has(id) ? 'replaced' : undefined
  }

  acknowledged(notifications: Params): void {
    const stream = this.#next
    if (!stream) return
    stream.cancelWait()
    stream.honoured = honouredPart(stream.wish, notifications)
    const before = this.#live
    this.#live = stream
    this.#next = undefined
    if (before) this.#replace(before)
    const again = this.#lost
    this.#lost = false
    this.#parts.onHonoured(stream.honoured, again)
    if (stream.wish !== this.#wanted) this.#open()
    else {
      const waiters = this.#waiters
      this.#waiters = []
      for (const { resolve } of waiters) resolve(stream.honoured)
    }
  }

  #open(): void {
    const wish = this.#wanted
    if (!wish || this.#over) return
    const { clock, listen, nextId } = this.#parts
    const controller = new AbortController()
    const stream: Stream = { id: nextId(), wish, controller, openedAt: clock.now(), ended: false, cancelWait: () => {} }
    stream.cancelWait = clock.after(ACKNOWLEDGE, () => {
      const text = 'The server did not acknowledge the subscription within 10 s.'
      this.#finished(stream, new RequestError('timeout', 'subscriptions/listen', text), true)
    })
    this.#next = stream
    const forever = Number.POSITIVE_INFINITY
    const options = { id: stream.id, signal: controller.signal, timeout: forever, maxTime: forever }
    listen({ ...wish }, options).then(
      () =>
        this.#finished(stream, new RequestError('closed', 'subscriptions/listen', 'The server ended the subscription.'), false),
      (error: unknown) => this.#finished(stream, error, error instanceof ProtocolError),
    )
  }

  /** It ended, in whichever way came first (V26-SUB-10). `refused`: the server does not want this one, so it is not asked again. */
  #finished(stream: Stream, error: unknown, refused: boolean): void {
    if (stream.ended) return
    this.#end(stream)
    const wasLive = stream === this.#live
    if (wasLive) this.#live = undefined
    else this.#next = undefined
    if (wasLive) this.#lost = true
    if (!this.#over && this.#wanted) this.#goOn(stream, error, refused)
    this.#parts.onHonoured(this.#live?.honoured, false)
  }

  /** Opens another stream, now or later, or none. */
  #goOn(stream: Stream, error: unknown, refused: boolean): void {
    const { clock, onRemark } = this.#parts
    const lived = clock.now() - stream.openedAt
    this.#hasty = lived < HASTY && lived >= 0 ? this.#hasty + 1 : 0
    const text = error instanceof Error ? error.message.slice(0, 300) : 'something unexpected happened.'
    const noSuch = error instanceof ProtocolError && error.code === ErrorCode.methodNotFound
    const silent = error instanceof RequestError && error.code === 'timeout'
    if (noSuch || silent || this.#hasty >= MAX_HASTY) {
      onRemark(`The server does not report changes: ${text}`)
      this.#over = new RequestError('closed', 'subscriptions/listen', text)
      this.#fail(error)
      return
    }
    if (refused) {
      onRemark(`The server refused a subscription: ${text}`)
      if (stream.wish === this.#wanted) this.#fail(error)
      else this.#open()
      return
    }
    // Replaced while it still lived: the new one goes on.
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
    this.#replaced.add(stream.id)
    // The last few are enough: what is older no longer comes.
    const [oldest] = this.#replaced
    if (this.#replaced.size > 8 && oldest !== undefined) this.#replaced.delete(oldest)
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

/** Requested subjects that the answer confirms; others in the answer are ignored. */
function honouredPart(wish: Wish, notifications: Params): Wish {
  const { resourceSubscriptions } = notifications
  const named = new Set<unknown>(Array.isArray(resourceSubscriptions) ? resourceSubscriptions : [])
  return {
    ...(wish.toolsListChanged && notifications.toolsListChanged === true && { toolsListChanged: true }),
    ...(wish.promptsListChanged && notifications.promptsListChanged === true && { promptsListChanged: true }),
    ...(wish.resourcesListChanged && notifications.resourcesListChanged === true && { resourcesListChanged: true }),
    ...(wish.resourceSubscriptions && { resourceSubscriptions: wish.resourceSubscriptions.filter((uri) => named.has(uri)) }),
  }
}
