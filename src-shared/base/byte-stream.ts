/** The part of a stream of bytes that a reader of responses needs; every Readable of Node has it. Nothing arrives before `resume`. */
export interface ByteStream<Bytes extends Uint8Array> {
  /** No event comes any more. */
  readonly closed: boolean
  on(event: 'data', listener: (chunk: Bytes) => void): this
  on(event: 'error', listener: (error: Error) => void): this
  on(event: 'end' | 'close', listener: () => void): this
  once(event: 'error', listener: (error: Error) => void): this
  once(event: 'end' | 'close', listener: () => void): this
  off(event: 'data', listener: (chunk: Bytes) => void): this
  off(event: 'end' | 'close', listener: () => void): this
  pause(): this
  resume(): this
  /** Nobody wants the rest. */
  destroy(): this
}
