import { useCallback, useEffect, useState } from 'react'
import type { RegistryPage } from '../../../src-shared/contract/registries.ts'
import { ask } from '../../state/ask.ts'
import { failureText } from '../../state/attempt.ts'

/** Nobody reads on; more words find more. */
const MAX_PAGES = 20

interface RequestedPages {
  readonly pages: readonly RegistryPage[]
  readonly problem: string | undefined
  readonly busy: boolean
  /** Absent at the end of the list. */
  readonly more: (() => void) | undefined
  readonly again: () => void
}

/** The pages of a search, one after another as the person asks for them. */
export function useRequestedPages(registry: string, words: string): RequestedPages {
  const [pages, setPages] = useState<readonly RegistryPage[]>([])
  const [wanted, setWanted] = useState<{ readonly cursor?: string; readonly time: number }>({ time: 0 })
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(true)
  const { cursor } = wanted
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again for the same page when the person wants it
  useEffect(() => {
    const giveUp = new AbortController()
    setBusy(true)
    setProblem(undefined)
    const asked = { registry, words, ...(cursor !== undefined && { cursor }) }
    ask('registry.search', asked, giveUp.signal)
      .then(
        (page) => {
          if (!giveUp.signal.aborted) setPages((before) => (cursor === undefined ? [page] : [...before, page]))
        },
        (error) => {
          if (!giveUp.signal.aborted) setProblem(failureText(error))
        },
      )
      .finally(() => {
        if (!giveUp.signal.aborted) setBusy(false)
      })
    return () => giveUp.abort()
  }, [registry, words, wanted])
  const next = pages.at(-1)?.next
  const request = useCallback((cursor: string | undefined) => {
    setWanted(({ time }) => ({ ...(cursor !== undefined && { cursor }), time: time + 1 }))
  }, [])
  return {
    pages,
    problem,
    busy,
    more: next === undefined || pages.length >= MAX_PAGES ? undefined : () => busy || request(next),
    again: () => request(cursor),
  }
}
