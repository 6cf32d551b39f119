import type { ServerId } from '../../src-shared/contract/servers.ts'
import { useView } from '../state/view-store.ts'
import { AllServers } from './AllServers.tsx'
import { ServerView } from './ServerView.tsx'

/** The section Servers: the list, or one server when the address names it. */
export function ServersScreen() {
  const route = useView((view) => view.route)
  if (route.section !== 'servers' || route.id === undefined) return <AllServers />
  // The address may name a server that does not exist; the view says so.
  return <ServerView key={route.id} serverId={route.id as ServerId} tab={route.tab} />
}
