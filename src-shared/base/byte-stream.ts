/** The part of a Node Readable that a reader of responses needs. Nothing arrives before `resume`. */
export interface ByteStream<Bytes extends Uint8Array> {
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
  destroy(): this
}
