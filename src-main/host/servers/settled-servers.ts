import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerRecord, ServerState } from '../../../src-shared/contract/servers.ts'
import type { ToolSwitches } from '../../../src-shared/contract/settings.ts'
import type { HostState } from '../core/host-state.ts'
import type { ConfiguredServer } from './configured-server.ts'
import type { Servers } from './servers.ts'

const isOff = ({ id }: ServerRecord, { servers }: ToolSwitches) => servers.includes(id)
/** Its program is looked for first, and until then it has the state of before. */
const isBeginning = ({ record: { state }, supervisor }: ConfiguredServer) =>
  state.is === 'stopped' && state.why === 'not-started' && supervisor.underWay
const isUnknown = ({ record, offer }: ConfiguredServer) => record.state.is === 'idle' && !offer

interface SettlingParts {
  readonly state: HostState
  readonly servers: Pick<Servers, 'configured'>
}

/** Servers that the conversation can use and that are starting, or about to. One that asks the person something is not waited for. */
export function unsettledServers({ state, servers }: SettlingParts, switches: ToolSwitches, restarting = false): ServerId[] {
  const asking = new Set(state.snapshot.interactions.map(({ about }) => about.serverId))
  const isStarting = ({ is }: ServerState) => is === 'starting' || (restarting && is === 'restarting')
  return servers.configured.all().flatMap((server) => {
    const { id, record } = server
    return !isOff(record, switches) && !asking.has(id) && (isStarting(record.state) || isBeginning(server) || isUnknown(server))
      ? [id]
      : []
  })
}

/** Starts servers that the conversation can use and whose lists are not known, and waits until none is unsettled. Every start has a limit. */
export function serversSettled(
  parts: SettlingParts,
  switches: ToolSwitches,
  signal: AbortSignal,
  restarting = false,
): Promise<void> {
  const { state, servers } = parts
  for (const server of servers.configured.all())
    if (isUnknown(server) && !isOff(server.record, switches)) server.supervisor.start()
  const settled = () => unsettledServers(parts, switches, restarting).length === 0
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

/** Servers that the conversation could use if the person let them start. */
export function askingServers(servers: readonly ServerRecord[], switches: ToolSwitches): readonly ServerRecord[] {
  return servers.filter((server) => server.state.is === 'asking' && !isOff(server, switches))
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
