import { useEffect, useState } from 'react'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { ask } from '../state/ask.ts'
import { failureText } from '../state/attempt.ts'
import type { CatalogItem, CatalogRequest } from '../state/catalog-requests.ts'
import { useHostShallow } from '../state/host-store.ts'
import { isUsable, sortedServers } from '../state/selectors.ts'

/** More than anybody picks from by eye. */
const MAX_COUNT = 10_000

/** Something that a server offers. An address or name means something only together with its server (RES-29). */
export interface ServerOffer<T> {
  readonly server: ServerRecord
  readonly item: T
}

interface Offers<T> {
  readonly offers: readonly ServerOffer<T>[]
  readonly loading: boolean
  /** A sentence per server that could not be read. */
  readonly problems: readonly string[]
}

export function useReadyServers(): readonly ServerRecord[] {
  return useHostShallow((mirror) => sortedServers(mirror.host.servers).filter(isUsable))
}

/** All pages of all servers, read one after another and shown as they arrive. */
export function useOffers<L extends CatalogRequest>(servers: readonly ServerRecord[], list: L): Offers<CatalogItem<L>> {
  const [found, setFound] = useState<Offers<CatalogItem<L>>>({ offers: [], loading: true, problems: [] })
  const versions = servers.map((server) => `${server.id} ${server.catalog.version}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: other changes of a server do not change its catalog
  useEffect(() => {
    const giveUp = new AbortController()
    const offers: ServerOffer<CatalogItem<L>>[] = []
    const problems: string[] = []
    const readAll = async () => {
      for (const server of servers) {
        try {
          let cursor: string | undefined
          do {
            const params = { serverId: server.id, ...(cursor !== undefined && { cursor }) }
            const page = await ask(list, params, giveUp.signal)
            for (const item of page.items) offers.push({ server, item })
            cursor = page.next
            if (giveUp.signal.aborted) return
            setFound({ offers: offers.slice(0, MAX_COUNT), loading: true, problems })
          } while (cursor !== undefined && offers.length < MAX_COUNT)
        } catch (error) {
          if (giveUp.signal.aborted) return
          problems.push(`${server.name}: ${failureText(error)}`)
        }
        problems.push(...server.catalog.problems.map((problem) => `${server.name}: ${problem}`))
      }
      if (offers.length >= MAX_COUNT) problems.push('There are more than can be listed here.')
      setFound({ offers: offers.slice(0, MAX_COUNT), loading: false, problems: [...problems] })
    }
    void readAll()
    return () => giveUp.abort()
  }, [versions, list])
  return found
}
