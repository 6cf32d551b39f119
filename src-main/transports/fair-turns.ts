import type { ByteStream } from '../../src-shared/base/byte-stream.ts'

/** Milliseconds for the messages of one stream before other work runs. */
const TURN_MS = 0.25
/** Messages between two time checks, each of which costs a tenth of a small message. */
const PER_CHECK = 4

export interface ReadTurns {
  /** True while read data is not handled yet. */
  readonly busy: boolean
  /** Stops listening; neither `step` nor `end` is called again. */
  stop(): void
}

/**
 * Reads a stream and handles its messages in bounded turns. The stream is paused between turns, so that a flood waits in the
 * sender's pipe instead of our memory.
 */
export function readInTurns(
  stream: ByteStream<Buffer>,
  handlers: {
    /** Keeps a chunk. Must be fast. */
    take(chunk: Buffer): void
    /** Handles one message of the kept chunks. False when none is complete; `rest` to let other work run first. */
    step(): boolean | 'rest'
    /** Called once, when the stream has ended and everything is handled. */
    end(error?: Error): void
  },
): ReadTurns {
  let waiting: NodeJS.Immediate | undefined
  let paused = false
  let over = false
  let stopped = false
  let failure: Error | undefined

  const turn = () => {
    waiting = undefined
    const until = performance.now() + TURN_MS
    for (let handled = 1; !stopped; handled++) {
      const stepped = handlers.step()
      if (!stepped) {
        if (over) finish()
        else if (paused) stream.resume()
        paused = false
        return
      }
      if (stepped !== 'rest' && (handled % PER_CHECK !== 0 || performance.now() < until)) continue
      if (!paused) stream.pause()
      paused = true
      waiting = setImmediate(turn)
      return
    }
  }
  const finish = () => {
    if (stopped) return
    stop()
    handlers.end(failure)
  }
  const onChunk = (chunk: Buffer) => {
    handlers.take(chunk)
    if (!waiting) turn()
  }
  const onError = (error: Error) => {
    failure = error
  }
  const onClose = () => {
    over = true
    if (!waiting) turn()
  }
  const stop = () => {
    stopped = true
    if (waiting) clearImmediate(waiting)
    waiting = undefined
    stream.off('data', onChunk).off('close', onClose)
  }
  // The error listener stays: a late error without a listener would end the host.
  stream.on('error', onError).on('close', onClose).on('data', onChunk).resume()
  if (stream.closed) setImmediate(onClose)
  return {
    get busy() {
      return waiting !== undefined
    },
    stop,
  }
}
