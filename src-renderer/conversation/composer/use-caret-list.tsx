import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useRef, useState } from 'react'
import type { Picker } from '../../state/view-store.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import type { CaretKeys } from './CaretList.tsx'
import { askedBy, type CaretQuery, queryOf } from './caret-query.ts'

const CaretList = onDemand(() => import('./CaretList.tsx').then((module) => module.CaretList))

interface CaretListParts {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly prompts: boolean
  readonly resources: boolean
  readonly pick: (kind: Picker['kind'], typed: NonNullable<Picker['typed']>) => Picker
}

export function useCaretList({ field, text, prompts, resources, pick }: CaretListParts): {
  readonly list: ReactNode
  /** Attributes for the text field. */
  readonly field: { readonly 'aria-controls'?: string; readonly 'aria-activedescendant'?: string | undefined }
  readonly typed: (area: HTMLTextAreaElement, letter: string | null) => void
  readonly moved: (caret: number) => void
  readonly onKeyDown: CaretKeys
  readonly close: () => void
} {
  const [asked, setAsked] = useState<CaretQuery>()
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState<{ readonly list: string; readonly option: string | undefined }>()
  const keys = useRef<CaretKeys>(undefined)
  const onActive = useCallback((list: string, option: string | undefined) => setActive({ list, option }), [])
  const close = useCallback(() => {
    setAsked(undefined)
    setActive(undefined)
  }, [])
  const query = asked && queryOf(asked, text, caret)
  const open = asked !== undefined && query !== undefined

  const typed = (area: HTMLTextAreaElement, letter: string | null) => {
    const at = area.selectionStart
    setCaret(at)
    const now = askedBy(letter, area.value, at)
    if (now && (now.char === '/' ? prompts : resources)) setAsked(now)
    else if (asked && queryOf(asked, area.value, at) === undefined) close()
  }
  const moved = (at: number) => {
    if (!asked) return
    setCaret(at)
    if (queryOf(asked, text, at) === undefined) close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return false
    // While the code of the list loads, Enter must not send the message.
    if (keys.current) return keys.current(event)
    if (event.key !== 'Enter' || event.shiftKey) return false
    event.preventDefault()
    return true
  }
  return {
    list: open ? (
      <CaretList
        field={field}
        asked={asked}
        query={query}
        picker={pick(asked.char === '/' ? 'prompts' : 'resources', { text: `${asked.char}${query}`, at: asked.at })}
        keys={keys}
        onActive={onActive}
        onClose={close}
      />
    ) : null,
    field: open && active ? { 'aria-controls': active.list, 'aria-activedescendant': active.option } : {},
    typed,
    moved,
    onKeyDown,
    close,
  }
}
