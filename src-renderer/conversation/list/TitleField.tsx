import { useEffect, useRef, useState } from 'react'
import { type ConversationHead, TITLE_LENGTH } from '../../../src-shared/contract/conversations.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'

/** Renames a conversation in place: Enter and leaving save, Escape cancels. */
export function TitleField({ head: { id, title }, onDone }: { readonly head: ConversationHead; readonly onDone: () => void }) {
  const [text, setText] = useState(title)
  const field = useRef<HTMLInputElement>(null)
  const done = useRef(false)
  /** The focus returns to this element. */
  const before = useRef<Element>(null)
  useEffect(() => {
    before.current ??= document.activeElement
    field.current?.select()
  }, [])
  const end = (save: boolean) => {
    finish(save)
    if (before.current instanceof HTMLElement) before.current.focus()
  }
  const finish = (save: boolean) => {
    if (done.current) return
    done.current = true
    const renamed = text.trim()
    if (save && renamed !== '' && renamed !== title) void attempt(ask('conversation.rename', { id, title: renamed }))
    onDone()
  }
  return (
    <input
      ref={field}
      className="ui-input"
      aria-label="Title"
      value={text}
      maxLength={TITLE_LENGTH}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        // Enter must not press what then has the focus.
        event.preventDefault()
        event.stopPropagation()
        end(event.key === 'Enter')
      }}
    />
  )
}
