import type { Clock } from '../../src-shared/base/clock.ts'
import type { Peer } from '../protocol/peer/peer.ts'
import { TransportError } from '../protocol/peer/transport.ts'
import { ProtocolError } from '../protocol/shapes/json-rpc.ts'

interface KeepAliveOptions {
  readonly peer: Peer
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds of silence after which we ask. */
  readonly every: number
  /** Milliseconds that an answer may take. */
  readonly timeout: number
  readonly onRemark: (text: string) => void
}

/** Misses in a row that count as a dead connection; one alone is only told (PING-10). */
const MISSES = 2

/**
 * Asks a silent server whether it is alive. Whatever it sent lately answers that already, and while a request of ours waits, that
 * request's own deadline watches the connection; while a person is asked, time stands still (PING-05, PING-08, PING-09).
 */
export function keepAlive(options: KeepAliveOptions): () => void {
  const { peer, clock, signal, every, timeout, onRemark } = options
  let misses = 0
  let cancel = clock.after(every, tick)

  function tick(): void {
    const quiet = clock.now() - peer.lastReceived
    if (peer.pending > 0 || peer.held || quiet < every) {
      cancel = clock.after(peer.pending > 0 || peer.held ? every : Math.max(1, every - quiet), tick)
      return
    }
    void ask().then(() => {
      if (!signal.aborted) cancel = clock.after(misses > 0 ? Math.min(every, timeout) : every, tick)
    })
  }

  async function ask(): Promise<void> {
    try {
      await peer.request('ping', undefined, { signal, timeout, maxTime: timeout, aside: true })
      misses = 0
    } catch (error) {
      // An error is an answer: the server lives, it only does not know how to say so.
      if (error instanceof ProtocolError) misses = 0
      else if (!signal.aborted) missed()
    }
  }

  function missed(): void {
    misses++
    onRemark(`The server did not answer a ping within ${timeout} ms (${misses} of ${MISSES}).`)
    if (misses < MISSES) return
    void peer.break(new TransportError('timeout', 'The server stopped responding; the connection was closed.'))
  }

  return () => cancel()
}
