import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { ask } from './ask.ts'
import { attempt } from './attempt.ts'
import { navigate, offerUndo, useView } from './view-store.ts'

/** Removes a server, leaves its page, and offers undo. */
export async function removeServer({ id: serverId, name }: Pick<ServerRecord, 'id' | 'name'>): Promise<void> {
  await ask('server.remove', { serverId })
  const { route } = useView.getState()
  if (route.section === 'servers' && route.id === serverId) navigate({ section: 'servers' })
  offerUndo({ text: `Removed ${name}`, undo: () => void attempt(ask('server.restore', { serverId })) })
}
