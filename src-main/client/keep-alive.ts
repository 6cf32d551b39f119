import type { Clock } from '../../src-shared/base/clock.ts'
import type { Peer } from '../protocol/peer/peer.ts'
import { TransportError } from '../protocol/peer/transport.ts'
import { ProtocolError } from '../protocol/shapes/json-rpc.ts'

interface KeepAliveOptions {
  readonly peer: Peer
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly every: number
  readonly timeout: number
  readonly onRemark: (text: string) => void
}

/** Missed pings in a row that end the connection; one alone is only reported (PING-10). */
const MISSES = 2

/**
 * Pings a silent server: one that sent nothing lately, while no request has a deadline of its own and no deadline is held for a person
 * (PING-05, PING-08, PING-09).
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
      // An error is an answer, too.
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
