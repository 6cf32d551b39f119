import { useCallback, useEffect, useRef, useState } from 'react'
import type { JsonValue } from '../../../src-shared/base/json.ts'
import type { Interaction } from '../../../src-shared/contract/interactions.ts'
import { ask } from '../../state/ask.ts'
import { failureText } from '../../state/attempt.ts'

/** Drafts of this window that may be on their way back at once. */
const ON_THE_WAY = 50

interface Drafting<T> {
  readonly draft: T
  readonly change: (next: T) => void
  /** Why the host does not keep it. */
  readonly problem: string | undefined
}

/**
 * The text typed into a question. The host keeps it while the question is open, so that a reload or another window goes on where
 * it was. `T` is plain JSON; `read` makes one of what the host kept, or a fresh one of undefined; it must be stable.
 */
export function useDraft<T>({ id, draft: kept }: Interaction, read: (kept: unknown) => T): Drafting<T> {
  const [draft, setDraft] = useState(() => read(kept))
  const [problem, setProblem] = useState<string>()
  const unsent = useRef<{ readonly value: T } | undefined>(undefined)
  /** One is on its way; what is typed meanwhile travels after it, as one. */
  const sending = useRef(false)
  /** The draft that this window sent and has not seen come back. */
  const own = useRef<readonly string[]>([])

  const flush = useCallback(() => {
    if (!unsent.current) return
    // `T` is plain JSON; readonly members are all that keeps the compiler from seeing it.
    const value = unsent.current.value as JsonValue
    unsent.current = undefined
    own.current = [...own.current, JSON.stringify(value)].slice(-ON_THE_WAY)
    sending.current = true
    const next = (failure: string | undefined) => {
      setProblem(failure)
      sending.current = false
      flush()
    }
    ask('interaction.draft', { id, draft: value }).then(
      () => next(undefined),
      (error) => next(failureText(error)),
    )
  }, [id])

  const change = useCallback(
    (next: T) => {
      setDraft(next)
      unsent.current = { value: next }
      if (!sending.current) flush()
    },
    [flush],
  )

  useEffect(() => {
    if (kept === undefined) return
    const returned = own.current.indexOf(JSON.stringify(kept))
    if (returned >= 0) own.current = own.current.slice(returned + 1)
    else if (!unsent.current) setDraft(read(kept))
  }, [kept, read])

  useEffect(() => {
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush])

  return { draft, change, problem }
}

/** The unticked entries, as the host kept them. */
export function readUnticked<Id extends string>(kept: unknown): readonly Id[] {
  // Ids that are none of the question's untick nothing.
  return Array.isArray(kept) ? kept.filter((id): id is Id => typeof id === 'string') : []
}
