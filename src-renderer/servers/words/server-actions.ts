import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { setServerOptions, startServer, stopServer } from '../../state/actions.ts'

export async function restartServer(serverId: ServerId): Promise<void> {
  await stopServer(serverId)
  await startServer(serverId)
}

/** Whether models are offered a tool. */
export function offerTool(server: ServerRecord, tool: string, offered: boolean): Promise<null> {
  const others = server.options.hiddenTools.filter((name) => name !== tool)
  return setServerOptions(server.id, { hiddenTools: offered ? others : [...others, tool] })
}
