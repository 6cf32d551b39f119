import { parseJson } from '../../../src-shared/base/parse-json.ts'
import type { JsonRpcMessage } from '../shapes/json-rpc.ts'
import { type Transport, TransportError, type TransportSink } from './transport.ts'

/** One end of a pair within this process. Messages cross as JSON text, so that nothing is shared by reference. */
class LinkedTransport implements Transport {
  readonly kind = 'linked'
  #other: LinkedTransport | undefined
  #sink: TransportSink | undefined
  #early: string[] = []
  #closed = false
  #told = false

  static pair(): [LinkedTransport, LinkedTransport] {
    const left = new LinkedTransport()
    const right = new LinkedTransport()
    left.#other = right
    right.#other = left
    return [left, right]
  }

  async start(sink: TransportSink): Promise<void> {
    if (this.#sink) throw new Error('A transport starts once.')
    this.#sink = sink
    const early = this.#early
    this.#early = []
    for (const text of early) this.#deliver(text)
    if (this.#closed) this.#tell()
  }

  async send(message: JsonRpcMessage): Promise<void> {
    if (this.#closed) throw new TransportError('closed', 'The connection is closed.')
    const text = JSON.stringify(message)
    const other = this.#other
    queueMicrotask(() => {
      if (other) other.#deliver(text)
    })
  }

  async close(): Promise<void> {
    this.#close()
    if (this.#other) this.#other.#close()
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    // After messages on their way, as with a pipe.
    queueMicrotask(() => this.#tell())
  }

  #tell(): void {
    if (this.#told || !this.#sink) return
    this.#told = true
    this.#sink.closed()
  }

  #deliver(text: string): void {
    if (this.#told) return
    if (this.#sink) this.#sink.message(parseJson(text))
    else this.#early.push(text)
  }
}

/** Two connected transports, for the built-in server and for tests. */
export function linkedTransports(): [Transport, Transport] {
  return LinkedTransport.pair()
}
