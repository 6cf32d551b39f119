import { useEffect, useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { ask } from '../../state/ask.ts'
import { useHostShallow } from '../../state/host-store.ts'
import { isUsable, sortedServers } from '../../state/selectors.ts'
import { type ServerOffers, STARTERS, type Starter, startersOf } from './starters.ts'

/** Starters of the first servers that are on, where they are wanted; none until all of them are read, so that no button moves. */
export function useStarters(wanted: boolean): readonly Starter[] {
  const servers = useHostShallow(({ host }) =>
    sortedServers(wanted ? host.servers : {})
      .filter((server) => !server.builtIn && isUsable(server) && offersAny(server))
      .slice(0, STARTERS),
  )
  const [starters, setStarters] = useState<readonly Starter[]>([])
  const versions = servers.map(({ id, name, catalog }) => `${id} ${name} ${catalog.version}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: other changes of a server do not change its catalog
  useEffect(() => {
    const giveUp = new AbortController()
    void Promise.all(servers.map((server) => offersOf(server, giveUp.signal))).then((offers) => {
      if (!giveUp.signal.aborted) setStarters(startersOf(offers))
    })
    return () => giveUp.abort()
  }, [versions])
  return starters
}

const offersAny = ({ catalog }: ServerRecord) => catalog.tools + catalog.prompts + catalog.resources > 0

/** Never rejects: a list that cannot be read gives no starters. */
async function offersOf(server: ServerRecord, signal: AbortSignal): Promise<ServerOffers> {
  const { id: serverId, catalog } = server
  const none = { items: [] }
  const [prompts, resources, powers] = await Promise.all([
    catalog.prompts > 0 ? ask('catalog.prompts', { serverId }, signal).catch(() => none) : none,
    catalog.resources > 0 ? ask('catalog.resources', { serverId }, signal).catch(() => none) : none,
    catalog.tools > 0 ? ask('consent.tools', { serverId }, signal).catch(() => ({ tools: [] })) : { tools: [] },
  ])
  return { server, prompts: prompts.items, resources: resources.items, tools: powers.tools }
}
