import type { Arrival, TransportError, TransportSink } from '../../src-main/protocol/peer/transport.ts'
import type { RequestId } from '../../src-main/protocol/shapes/json-rpc.ts'
import { until } from './until.ts'

/** Writes down all that a transport says, and fails the test that is told twice of the end. */
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

  /** The reply to a request, as soon as it is there. */
  async reply(id: RequestId): Promise<Record<string, unknown>> {
    const isReply = (value: unknown): value is Record<string, unknown> =>
      typeof value === 'object' && value !== null && 'id' in value && value.id === id && !('method' in value)
    return until(() => this.values.find(isReply), `the reply to ${id}`)
  }

  /** Why the connection ended, as soon as it has. */
  async end(): Promise<TransportError | undefined> {
    await until(() => this.ends.length > 0, 'the end of the connection')
    return this.ends[0]
  }
}
