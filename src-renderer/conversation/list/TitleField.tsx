import { useEffect, useRef, useState } from 'react'
import { TITLE_LENGTH } from '../../../src-shared/contract/conversations.ts'

export interface TitleFieldProps {
  readonly title: string
  /** The new title, or undefined when it stays as it was. */
  readonly onDone: (title: string | undefined) => void
}

/** Renames in place: Enter and leaving save, Escape gives up. */
export function TitleField({ title, onDone }: TitleFieldProps) {
  const [text, setText] = useState(title)
  const field = useRef<HTMLInputElement>(null)
  const done = useRef(false)
  useEffect(() => field.current?.select(), [])
  const finish = (save: boolean) => {
    if (done.current) return
    done.current = true
    const renamed = text.trim()
    onDone(save && renamed !== '' && renamed !== title ? renamed : undefined)
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
        if (event.key === 'Enter') finish(true)
        if (event.key === 'Escape') finish(false)
      }}
    />
  )
}
