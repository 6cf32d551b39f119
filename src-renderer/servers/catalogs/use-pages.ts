import { useCallback, useEffect, useRef, useState } from 'react'
import { failureText } from '../../state/actions.ts'

interface PageOf<T> {
  readonly items: readonly T[]
  readonly next?: string
  readonly total: number
}

export interface Pages<T> {
  /** Undefined until the first page came. */
  readonly items: readonly T[] | undefined
  readonly total: number
  readonly problem: string | undefined
  /** Reads the next page, when there is one and none is on its way. */
  readonly more: () => void
  readonly again: () => void
}

interface Loaded<T> {
  readonly items: readonly T[] | undefined
  readonly total: number
  readonly next: string | undefined
  readonly problem: string | undefined
}

type LoadPage<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<PageOf<T>>

const NOTHING = { items: undefined, total: 0, next: undefined, problem: undefined }

/**
 * A list that comes page by page, read anew whenever `load` or the catalog's `version` changes. What was shown stays until the new first page is
 * there, so that typing into a search does not flicker.
 */
export function usePages<T>(load: LoadPage<T>, version: number): Pages<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>(NOTHING)
  const [round, setRound] = useState(0)
  const reading = useRef<AbortController | undefined>(undefined)

  const read = useCallback(
    (cursor: string | undefined) => {
      reading.current?.abort()
      const controller = new AbortController()
      reading.current = controller
      load(cursor, controller.signal)
        .then((page) => {
          if (controller.signal.aborted) return
          reading.current = undefined
          setLoaded((before) => ({
            items: cursor === undefined ? page.items : [...(before.items ?? []), ...page.items],
            total: page.total,
            next: page.next,
            problem: undefined,
          }))
        })
        .catch((error: unknown) => {
          if (controller.signal.aborted) return
          reading.current = undefined
          setLoaded((before) => ({ ...before, next: undefined, problem: failureText(error) }))
        })
    },
    [load],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version or round asks for the same list once more
  useEffect(() => {
    read(undefined)
    return () => reading.current?.abort()
  }, [read, round, version])

  return {
    items: loaded.items,
    total: loaded.total,
    problem: loaded.problem,
    more: useCallback(() => {
      if (loaded.next !== undefined && reading.current === undefined) read(loaded.next)
    }, [loaded.next, read]),
    again: useCallback(() => setRound((count) => count + 1), []),
  }
}
