import type { Arrival, TransportError, TransportSink } from '../../src-main/protocol/peer/transport.ts'
import type { RequestId } from '../../src-main/protocol/shapes/json-rpc.ts'
import { until } from './until.ts'

/** Records all messages of a transport, and fails a test in which the end is reported twice. */
export class RecordingSink implements TransportSink {
  readonly messages: { readonly value: unknown; readonly arrival: Arrival | undefined }[] = []
  readonly losses: { readonly error: TransportError; readonly id: RequestId | undefined }[] = []
  readonly remarks: string[] = []
  readonly waits: { readonly id: RequestId; readonly ms: number }[] = []
  readonly ends: (TransportError | undefined)[] = []

  message(value: unknown, arrival?: Arrival): void {
    this.messages.push({ value, arrival })
  }

  lost(error: TransportError, id?: RequestId): void {
    this.losses.push({ error, id })
  }

  closed(error?: TransportError): void {
    this.ends.push(error)
    if (this.ends.length > 1) throw new Error('told twice that the connection is over')
  }

  remark(text: string): void {
    this.remarks.push(text)
  }

  waiting(id: RequestId, ms: number): void {
    this.waits.push({ id, ms })
  }

  get values(): readonly unknown[] {
    return this.messages.map(({ value }) => value)
  }

  /** Waits for the reply to a request. */
  async reply(id: RequestId): Promise<Record<string, unknown>> {
    const isReply = (value: unknown): value is Record<string, unknown> =>
      typeof value === 'object' && value !== null && 'id' in value && value.id === id && !('method' in value)
    return until(() => this.values.find(isReply), `the reply to ${id}`)
  }

  /** Waits for the reason why the connection ended. */
  async end(): Promise<TransportError | undefined> {
    await until(() => this.ends.length > 0, 'the end of the connection')
    return this.ends[0]
  }
}
