import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { ByteStream } from '../../../src-shared/base/byte-stream.ts'
import type { HttpResponse } from './http-fetch.ts'

/** Bytes to buffer before the sender must wait. */
const MAX_BUFFERED = 64 * 1024
/** Ends the request in undici; our caller gets the real reason. */
const UNWANTED = new Error('The response is not needed any more.')

/** Sends a request; rejects with undici's error, or the signal's reason. */
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
 * One request, and then the body of its response. undici delivers bytes directly: a Node stream for each response would cost more
 * than all other work on a small one.
 */
class Exchange extends EventEmitter implements Dispatcher.DispatchHandler, ByteStream<Buffer> {
  closed = false
  readonly #signal: AbortSignal
  readonly #resolve: (response: HttpResponse) => void
  readonly #reject: (reason: unknown) => void
  #controller: Dispatcher.DispatchController | undefined
  #answered = false
  #complete = false
  /** Set when the body is cut off; without a reason when the reader destroyed it. */
  #cut: { readonly reason?: unknown } | undefined
  #flowing = false
  #scheduled = false
  #buffered: Buffer[] = []
  #bufferedBytes = 0
  #paused = false

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
    if (status < 200) return // an interim response
    this.#answered = true
    this.#resolve({ status, headers: flatten(headers), body: this })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#cut) return
    if (this.#flowing && this.#buffered.length === 0) {
      this.emit('data', chunk)
      return
    }
    this.#buffered.push(chunk)
    this.#bufferedBytes += chunk.length
    if (this.#bufferedBytes < MAX_BUFFERED) return
    this.#paused = true
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

  /** Buffered data follows in a microtask, as from a Node stream. */
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
    this.#buffered = []
    this.#signal.removeEventListener('abort', this)
    this.#controller?.abort(UNWANTED)
  }

  #flow(): void {
    while (this.#flowing && this.#buffered.length > 0) this.emit('data', this.#buffered.shift())
    if (!this.#flowing || this.closed) return
    if (this.#cut || this.#complete) {
      this.closed = true
      this.#signal.removeEventListener('abort', this)
      if (!this.#cut) this.emit('end')
      else if ('reason' in this.#cut && this.listenerCount('error') > 0) this.emit('error', this.#cut.reason)
      this.emit('close')
      return
    }
    this.#bufferedBytes = 0
    if (!this.#paused) return
    this.#paused = false
    this.#controller?.resume()
  }
}

/** undici gives the names in lower case. */
function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return flat
}
