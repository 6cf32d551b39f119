import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { ToolSwitches } from '../../../src-shared/contract/settings.ts'
import type { HostState } from '../core/host-state.ts'
import type { Servers } from './servers.ts'

const isOff = ({ id }: ServerRecord, { servers }: ToolSwitches) => servers.includes(id)

/**
 * Starts servers that the conversation can use and whose lists are not known, and waits while servers are starting, or `restarting`, too.
 * Every start ends, as each has a limit.
 */
export function serversSettled(
  { state, servers: { configured } }: { readonly state: HostState; readonly servers: Pick<Servers, 'configured'> },
  switches: ToolSwitches,
  signal: AbortSignal,
  restarting = false,
): Promise<void> {
  const isUnknown = ({ id, state }: ServerRecord) => state.is === 'idle' && !configured.find(id)?.offer
  const isStarting = (server: ServerRecord) => {
    const { is } = server.state
    return (is === 'starting' || (restarting && is === 'restarting') || isUnknown(server)) && !isOff(server, switches)
  }
  for (const { record, supervisor } of configured.all()) if (isUnknown(record) && !isOff(record, switches)) supervisor.start()
  const settled = () => !Object.values(state.snapshot.servers).some(isStarting)
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!signal.aborted && !settled()) return
      undo()
      signal.removeEventListener('abort', look)
      signal.aborted ? reject(signal.reason) : resolve()
    }
    const undo = state.onEvent(look)
    signal.addEventListener('abort', look, { once: true })
    look()
  })
}

/** Servers that a run goes on without, a sentence for each. */
export function missingServers(servers: readonly ServerRecord[], switches: ToolSwitches): string[] {
  return servers.flatMap((server) => {
    const { name, state } = server
    if (
      isOff(server, switches) ||
      state.is === 'ready' ||
      state.is === 'idle' ||
      (state.is === 'stopped' && state.why === 'not-enabled')
    )
      return []
    if (state.is === 'asking') return [`Without ${name}: it waits for your permission to start.`]
    if (state.is === 'needs-sign-in') return [`Without ${name}: it needs you to sign in.`]
    if (state.is === 'failed' || state.is === 'restarting') return [`Without ${name}: ${state.problem.what}`]
    return [`Without ${name}: it is not running.`]
  })
}
