import { useCallback, useEffect, useRef, useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { ask } from '../../state/ask.ts'
import { failureText } from '../../state/attempt.ts'
import type { CatalogItem, CatalogRequest } from '../../state/catalog-requests.ts'

export interface Pages<T> {
  /** Undefined before the first page. */
  readonly items: readonly T[] | undefined
  readonly total: number
  readonly problem: string | undefined
  /** Reads the next page, if there is one and none is being read. */
  readonly more: () => void
  readonly reload: () => void
}

interface Loaded<T> {
  readonly items: readonly T[] | undefined
  readonly total: number
  readonly next: string | undefined
  readonly problem: string | undefined
}

const NOTHING = { items: undefined, total: 0, next: undefined, problem: undefined }

/**
 * Reads a list page by page, and again when the search or the version of the catalog changes. The old rows stay until the new
 * first page arrives, so that typing does not flicker.
 */
export function usePages<L extends CatalogRequest>(list: L, server: ServerRecord, search = ''): Pages<CatalogItem<L>> {
  const [loaded, setLoaded] = useState<Loaded<CatalogItem<L>>>(NOTHING)
  const [round, setRound] = useState(0)
  const reading = useRef<AbortController | undefined>(undefined)
  const { id: serverId, catalog } = server
  const query = search.trim()

  const read = useCallback(
    (cursor: string | undefined) => {
      reading.current?.abort()
      const controller = new AbortController()
      reading.current = controller
      const params = { serverId, ...(cursor !== undefined && { cursor }), ...(query !== '' && { search: query }) }
      ask(list, params, controller.signal)
        .then(({ items, total, next }) => {
          if (controller.signal.aborted) return
          reading.current = undefined
          setLoaded((before) => ({
            items: cursor === undefined ? items : [...(before.items ?? []), ...items],
            total,
            next,
            problem: undefined,
          }))
        })
        .catch((error: unknown) => {
          if (controller.signal.aborted) return
          reading.current = undefined
          setLoaded((before) => ({ ...before, next: undefined, problem: failureText(error) }))
        })
    },
    [list, serverId, query],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version or round asks for the same list once more
  useEffect(() => {
    read(undefined)
    return () => reading.current?.abort()
  }, [read, round, catalog.version])

  return {
    items: loaded.items,
    total: loaded.total,
    problem: loaded.problem,
    more: useCallback(() => {
      if (loaded.next !== undefined && reading.current === undefined) read(loaded.next)
    }, [loaded.next, read]),
    reload: useCallback(() => setRound((count) => count + 1), []),
  }
}
