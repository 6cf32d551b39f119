import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { ask } from '../../state/ask.ts'
import type { CatalogRequest } from '../../state/catalog-requests.ts'
import { usePages } from '../../state/use-pages.ts'

/** A catalog of a server page by page, read again when the search or the catalog changes. */
export function useCatalog<L extends CatalogRequest>(list: L, { id: serverId, catalog }: ServerRecord, search = '') {
  const query = search.trim()
  return usePages(
    (cursor, signal) =>
      ask(list, { serverId, ...(cursor !== undefined && { cursor }), ...(query !== '' && { search: query }) }, signal),
    [list, serverId, query, catalog.version],
  )
}
