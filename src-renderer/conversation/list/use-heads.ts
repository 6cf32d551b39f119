import { useEffect, useMemo, useState } from 'react'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import type { ProjectId } from '../../../src-shared/contract/ids.ts'
import type { ParamsOf } from '../../../src-shared/contract/requests.ts'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import type { OpenProject } from './list-entries.ts'

/** Older conversations are found by the search. */
const MAX_PAGES = 20

export type HeadFilter = Pick<ParamsOf<'conversation.page'>, 'tag' | 'archived'>

interface FoundHeads {
  readonly heads: readonly ConversationHead[]
  /** There are older ones. */
  readonly cut: boolean
}

/** The newest conversations that pass a filter, read again when one changes; undefined without a filter and while they load. */
export function useHeads(filter: HeadFilter | undefined): FoundHeads | undefined {
  const key = filter && JSON.stringify(filter)
  const [found, setFound] = useState<FoundHeads & { readonly key: string }>()
  const known = useHost((mirror) => mirror.host.conversations)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what is wanted; a head that changed may be of another kind now
  useEffect(() => {
    if (key === undefined) return
    const giveUp = new AbortController()
    const read = async () => {
      const heads: ConversationHead[] = []
      let before: string | undefined
      for (let page = 0; page < MAX_PAGES; page++) {
        const { items, next } = await ask('conversation.page', { ...filter, ...(before && { before }) }, giveUp.signal)
        heads.push(...items)
        before = next
        if (next === undefined) break
      }
      if (!giveUp.signal.aborted) setFound({ key, heads, cut: before !== undefined })
    }
    read().catch(() => {}) // The list stays as it was; the next change reads again.
    return () => giveUp.abort()
  }, [key, known])
  return found?.key === key ? found : undefined
}

/** The newest conversations of each open project. */
export function useOpenProjects(open: ReadonlySet<ProjectId>): ReadonlyMap<ProjectId, OpenProject | undefined> {
  const [found, setFound] = useState<ReadonlyMap<ProjectId, OpenProject>>(new Map())
  const known = useHost((mirror) => mirror.host.conversations)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a head that changed may be in another project now
  useEffect(() => {
    const giveUp = new AbortController()
    const read = async () => {
      const pages = [...open].map(async (project) => {
        const { items, total } = await ask('conversation.page', { project, archived: false }, giveUp.signal)
        return [project, { heads: items, total }] as const
      })
      const all = await Promise.all(pages)
      if (!giveUp.signal.aborted) setFound(new Map(all))
    }
    read().catch(() => {}) // The list stays as it was; the next change reads again.
    return () => giveUp.abort()
  }, [open, known])
  return useMemo(() => new Map([...open].map((project) => [project, found.get(project)])), [open, found])
}
