import { useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerUsage } from '../../../src-shared/contract/servers.ts'
import { useRequest } from '../../state/use-request.ts'
import { bytes, counted } from '../../ui/amounts.ts'

/** Milliseconds between two looks. */
const EVERY = 2000

/** The memory, processors and processes that a local server uses now. Nothing where the system does not tell. */
export function UsageLine({ serverId }: { readonly serverId: ServerId }) {
  const { value, reload } = useRequest('server.usage', { serverId })
  const [samples, setSamples] = useState<readonly ServerUsage[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is one sample
  useEffect(() => {
    const usage = value?.usage
    if (!usage) return
    setSamples((before) => [...before.slice(-1), usage])
    return systemClock.after(EVERY, reload)
  }, [value])
  const now = value?.usage
  if (!now) return null
  const [before] = samples
  return (
    <p className="meta">
      Uses {bytes(now.memory)} of memory{before && before.at < now.at ? `, ${cpu(before, now)} % of a processor` : ''}, in{' '}
      {counted(now.processes, 'process', 'processes')}.
    </p>
  )
}

/** Processes that ended take their time with them. */
const cpu = (before: ServerUsage, now: ServerUsage): number =>
  Math.max(0, Math.round(((now.cpuMs - before.cpuMs) / (now.at - before.at)) * 100))
