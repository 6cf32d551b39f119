import type { ByteStream } from '../../src-shared/base/byte-stream.ts'

/** The messages of one stream may take this much of a turn of the event loop, in ms; then others have theirs. */
const TURN_MS = 0.25
/** Messages between two looks at the time, which costs a tenth of a small message. */
const PER_LOOK = 4

export interface ReadTurns {
  /** Something was read that is not handled yet. */
  readonly busy: boolean
  /** Lets go of the stream; neither `step` nor `end` is called again. */
  stop(): void
}

/**
 * Reads a stream and handles what it holds in bounded turns. While one is left over the stream is paused, so that
 * a flood waits in the sender's pipe instead of in our memory.
 */
export function readInTurns(
  stream: ByteStream<Buffer>,
  handlers: {
    /** Keeps a chunk; cheap. */
    take(chunk: Buffer): void
    /** Handles one message of what was kept; false when none is complete, `rest` when others come before it goes on. */
    step(): boolean | 'rest'
    /** The stream is over and everything of it was handled. Called once. */
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
      if (stepped !== 'rest' && (handled % PER_LOOK !== 0 || performance.now() < until)) continue
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
  // The listener for errors stays: one that comes after the end must find somebody.
  stream.on('error', onError).on('close', onClose).on('data', onChunk).resume()
  if (stream.closed) setImmediate(onClose)
  return {
    get busy() {
      return waiting !== undefined
    },
    stop,
  }
}
