import { useEffect, useRef, useState } from 'react'
import { every, systemClock } from '../../../src-shared/base/clock.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { TrafficEntry } from '../../../src-shared/contract/servers.ts'
import { ask } from '../../state/ask.ts'
import { failureText } from '../../state/attempt.ts'

const INTERVAL = 1_000
const MAX_KEPT = 5_000

export interface Traffic {
  /** Oldest first; undefined until the first answer. */
  readonly entries: readonly TrafficEntry[] | undefined
  readonly dropped: number
  readonly problem: string | undefined
}

/** The recorded messages, refreshed every second by one request at a time, not while paused. */
export function useTraffic(serverId: ServerId, paused: boolean): Traffic {
  const [traffic, setTraffic] = useState<Traffic>({ entries: undefined, dropped: 0, problem: undefined })
  // Reading goes on after a pause where it stopped.
  const last = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (paused) return
    const controller = new AbortController()
    let asking = false
    const read = async () => {
      if (asking) return
      asking = true
      try {
        const params = { serverId, ...(last.current !== undefined && { after: last.current }) }
        const found = await ask('traffic.read', params, controller.signal)
        last.current = found.entries.at(-1)?.n ?? last.current ?? 0
        setTraffic((before) => ({
          entries:
            found.entries.length > 0 || before.entries === undefined
              ? [...(before.entries ?? []), ...found.entries].slice(-MAX_KEPT)
              : before.entries,
          dropped: found.dropped,
          problem: undefined,
        }))
      } catch (error) {
        if (!controller.signal.aborted) {
          setTraffic((before) => (before.entries ? before : { ...before, problem: failureText(error) }))
        }
      } finally {
        asking = false
      }
    }
    void read()
    const stop = every(systemClock, INTERVAL, () => void read())
    return () => {
      stop()
      controller.abort()
    }
  }, [serverId, paused])
  return traffic
}
