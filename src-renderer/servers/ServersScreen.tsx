import type { ServerId } from '../../src-shared/contract/ids.ts'
import { ADD_SERVER } from '../state/route.ts'
import { useView } from '../state/view-store.ts'
import { onDemand } from '../ui/on-demand.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { AllServers } from './AllServers.tsx'

/** Loaded on demand, since it is far larger than the list. */
const ServerView = onDemand(
  () => import('./ServerView.tsx').then((module) => module.ServerView),
  () => <Skeleton label="Loading" lines={6} />,
)

/** The list of servers, or the server that the address names. */
export function ServersScreen() {
  const route = useView((view) => view.route)
  if (route.section !== 'servers' || route.id === undefined || route.id === ADD_SERVER.id) return <AllServers />
  // The address may name a server that does not exist; ServerView then says so.
  return <ServerView key={route.id} serverId={route.id as ServerId} tab={route.tab} item={route.item} />
}
