import { useCallback, useEffect, useRef, useState } from 'react'
import { failureText } from './attempt.ts'

interface Page {
  /** Leads to the next page. */
  readonly next?: string | undefined
}

export interface Pages<P> {
  /** Empty before the first answer. */
  readonly pages: readonly P[]
  readonly problem: string | undefined
  readonly busy: boolean
  /** Reads the next page unless one is being read; absent at the end of the list and after a failure. */
  readonly more: (() => void) | undefined
  /** Reads again what failed. */
  readonly again: () => void
}

/**
 * Reads a list page by page, and from its beginning when one of `of` changes. The old pages stay until the new first one arrives, so
 * that typing does not flicker.
 */
export function usePages<P extends Page>(
  ask: (cursor: string | undefined, signal: AbortSignal) => Promise<P>,
  of: readonly unknown[],
): Pages<P> {
  const [state, setState] = useState<Omit<Pages<P>, 'more' | 'again'>>({ pages: [], problem: undefined, busy: true })
  const reading = useRef<AbortController>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names what the request depends on
  const read = useCallback(
    (cursor: string | undefined) => {
      reading.current?.abort()
      const giveUp = new AbortController()
      reading.current = giveUp
      setState(({ pages }) => ({ pages, problem: undefined, busy: true }))
      ask(cursor, giveUp.signal).then(
        (page) =>
          giveUp.signal.aborted ||
          setState(({ pages }) => ({ pages: cursor === undefined ? [page] : [...pages, page], problem: undefined, busy: false })),
        (error: unknown) =>
          giveUp.signal.aborted || setState(({ pages }) => ({ pages, problem: failureText(error), busy: false })),
      )
    },
    [...of],
  )
  useEffect(() => {
    read(undefined)
    return () => reading.current?.abort()
  }, [read])
  const { busy, problem } = state
  const next = state.pages.at(-1)?.next
  const more = useCallback(() => {
    if (!busy) read(next)
  }, [busy, next, read])
  return { ...state, more: next === undefined || problem !== undefined ? undefined : more, again: () => read(next) }
}
