import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { ByteStream } from '../../../src-shared/base/byte-stream.ts'
import type { HttpResponse } from './http-fetch.ts'

/** Bytes that may come before somebody reads them; then the sender waits. */
const MAX_AHEAD = 64 * 1024
/** Ends the library's request; its caller gets the reason. */
const UNWANTED = new Error('The answer is not wanted any more.')

/** Sends a request; rejects with what the library says, or the signal's reason. */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const handler = new Exchange(signal, resolve, reject)
    try {
      dispatcher.dispatch(request, handler)
    } catch (error) {
      handler.fail(error)
    }
  })
}

/**
 * One request, and then the body of its answer. The library hands bytes over as they come: a stream of Node's for each answer
 * would cost more than all that we do with a small one.
 */
class Exchange extends EventEmitter implements Dispatcher.DispatchHandler, ByteStream<Buffer> {
  closed = false
  readonly #signal: AbortSignal
  readonly #resolve: (response: HttpResponse) => void
  readonly #reject: (reason: unknown) => void
  #controller: Dispatcher.DispatchController | undefined
  #answered = false
  #complete = false
  /** It ended before its end, and why; without a reason nobody wanted it. */
  #cut: { readonly reason?: unknown } | undefined
  #flowing = false
  #scheduled = false
  #ahead: Buffer[] = []
  #aheadBytes = 0
  #held = false

  constructor(signal: AbortSignal, resolve: (response: HttpResponse) => void, reject: (reason: unknown) => void) {
    super()
    this.#signal = signal
    this.#resolve = resolve
    this.#reject = reject
    signal.addEventListener('abort', this)
  }

  /** The signal's `abort`: an object with this method is an event listener. */
  handleEvent(): void {
    this.fail(this.#signal.reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#cut) controller.abort(UNWANTED)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return // more is to come
    this.#answered = true
    this.#resolve({ status, headers: flatten(headers), body: this })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#cut) return
    if (this.#flowing && this.#ahead.length === 0) {
      this.emit('data', chunk)
      return
    }
    this.#ahead.push(chunk)
    this.#aheadBytes += chunk.length
    if (this.#aheadBytes < MAX_AHEAD) return
    this.#held = true
    controller.pause()
  }

  onResponseEnd(): void {
    this.#complete = true
    if (this.#flowing) this.#flow()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  fail(reason: unknown): void {
    this.#cutOff({ reason })
    if (!this.#answered) this.#reject(reason)
    else if (this.#flowing) this.resume()
  }

  pause(): this {
    this.#flowing = false
    return this
  }

  /** Earlier data follows in a moment, as from every stream. */
  resume(): this {
    this.#flowing = true
    if (this.#scheduled) return this
    this.#scheduled = true
    queueMicrotask(() => {
      this.#scheduled = false
      this.#flow()
    })
    return this
  }

  destroy(): this {
    this.#cutOff({})
    return this.resume()
  }

  #cutOff(cut: { readonly reason?: unknown }): void {
    if (this.#cut || this.closed) return
    this.#cut = cut
    this.#ahead = []
    this.#signal.removeEventListener('abort', this)
    this.#controller?.abort(UNWANTED)
  }

  #flow(): void {
    while (this.#flowing && this.#ahead.length > 0) this.emit('data', this.#ahead.shift())
    if (!this.#flowing || this.closed) return
    if (this.#cut || this.#complete) {
      this.closed = true
      this.#signal.removeEventListener('abort', this)
      if (!this.#cut) this.emit('end')
      else if ('reason' in this.#cut && this.listenerCount('error') > 0) this.emit('error', this.#cut.reason)
      this.emit('close')
      return
    }
    this.#aheadBytes = 0
    if (!this.#held) return
    this.#held = false
    this.#controller?.resume()
  }
}

/** Names are in lower case already. */
function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return flat
}
