import type { Arrival, SendOptions, Transport, TransportSink } from '../../src-main/protocol/peer/transport.ts'
import type { JsonRpcMessage } from '../../src-main/protocol/shapes/json-rpc.ts'
import { isObject } from '../../src-shared/base/json.ts'

/** A message of ours, as the server saw it. */
export interface Asked {
  readonly id: string | number
  readonly method: string
  readonly token: unknown
}

/** Stands between a client and its transport, writes down what passes, and objects to what must never happen. */
export class Ledger implements Transport {
  /** Requests of the client that the server has not answered, newest last, bounded. */
  readonly asked: Asked[] = []
  /** The failure, in words. */
  readonly objections: string[] = []
  readonly #inner: Transport
  readonly #ids = new Set<string | number>()
  /** Requests of the server under an id, minus the answers to them. */
  readonly #open = new Map<unknown, number>()
  received = 0
  #closed = 0

  constructor(inner: Transport) {
    this.#inner = inner
  }

  get kind() {
    return this.#inner.kind
  }

  get closed(): boolean {
    return this.#closed > 0
  }

  start(sink: TransportSink): Promise<void> {
    return this.#inner.start({
      message: (value, arrival) => this.#heard(value, arrival, sink),
      lost: (error, id) => sink.lost(error, id),
      remark: (text) => sink.remark(text),
      closed: (error) => {
        if (++this.#closed > 1) this.objections.push('the transport closed twice')
        sink.closed(error)
      },
    })
  }

  send(message: JsonRpcMessage, options?: SendOptions): Promise<void> {
    this.#said(message)
    return this.#inner.send(message, options)
  }

  negotiated(protocolVersion: string): void {
    this.#inner.negotiated?.(protocolVersion)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  #heard(value: unknown, arrival: Arrival | undefined, sink: TransportSink): void {
    this.received++
    if (this.#closed > 0) this.objections.push('a message came after the end')
    for (const member of Array.isArray(value) ? value : [value]) {
      if (isObject(member) && member.id !== undefined) this.#open.set(member.id, (this.#open.get(member.id) ?? 0) + 1)
    }
    try {
      sink.message(value, arrival)
    } catch (error) {
      this.objections.push(`a message threw: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }

  #said(message: JsonRpcMessage): void {
    if ('method' in message) {
      if (!('id' in message)) return
      if (this.#ids.has(message.id)) this.objections.push(`the id ${message.id} was used twice`)
      this.#ids.add(message.id)
      const meta = message.params?._meta
      this.asked.push({ id: message.id, method: message.method, token: isObject(meta) ? meta.progressToken : undefined })
      if (this.asked.length > 50) this.asked.shift()
      return
    }
    const open = this.#open.get(message.id) ?? 0
    if (open === 0) this.objections.push(`answered ${JSON.stringify(message.id)}, which was not asked`)
    else if (open === 1) this.#open.delete(message.id)
    else this.#open.set(message.id, open - 1)
  }
}
