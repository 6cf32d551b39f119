import { useCallback, useRef, useState } from 'react'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'

export interface Selection {
  /** In the order of the list. */
  readonly heads: readonly ConversationHead[]
  has(id: ConversationId): boolean
  /** Adds or removes one; with `range`, all from the last chosen one. */
  choose(id: ConversationId, range: boolean): void
  all(): void
  clear(): void
}

const NONE: ReadonlySet<ConversationId> = new Set()

/** Several conversations at once, out of those that are listed. */
export function useSelection(listed: readonly ConversationHead[]): Selection {
  const [chosen, setChosen] = useState(NONE)
  const order = useRef(listed)
  order.current = listed
  const anchor = useRef<ConversationId>(undefined)
  const choose = useCallback((id: ConversationId, range: boolean) => {
    const ids = order.current.map((head) => head.id)
    const [from, to] = [anchor.current === undefined ? -1 : ids.indexOf(anchor.current), ids.indexOf(id)]
    anchor.current = id
    setChosen((before) => {
      if (range && from >= 0 && to >= 0) {
        return new Set([...before, ...ids.slice(Math.min(from, to), Math.max(from, to) + 1)])
      }
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  const clear = useCallback(() => {
    anchor.current = undefined
    setChosen(NONE)
  }, [])
  const all = useCallback(() => setChosen(new Set(order.current.map((head) => head.id))), [])
  return { heads: listed.filter((head) => chosen.has(head.id)), has: (id) => chosen.has(id), choose, all, clear }
}
