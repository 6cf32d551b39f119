import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { ConversationId, MessageId } from '../../../src-shared/contract/ids.ts'
import type { MessageVersions } from '../../../src-shared/contract/topics.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { announce } from '../../state/view-store.ts'
import { IconButton } from '../../ui/Button.tsx'
import { BackIcon, ChevronRightIcon } from '../../ui/icons.tsx'

export interface VersionsProps {
  readonly conversationId: ConversationId
  readonly shown: MessageId
  readonly versions: MessageVersions
  /** Announced with the version. */
  readonly model?: string
  readonly idle: boolean
  /** Called before another version is shown, with the element that stays in its place. */
  readonly hold: (element: Element) => void
}

/** The version of a message on screen, and buttons to the others. It stays mounted when another one is shown, and so keeps the focus. */
export function Versions({ conversationId, shown, versions: { ids }, model, idle, hold }: VersionsProps) {
  const group = useRef<HTMLSpanElement>(null)
  const place = ids.indexOf(shown)
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    const words = `Version ${place + 1} of ${ids.length}`
    if (group.current?.contains(document.activeElement)) announce(model === undefined ? words : `${words}, ${model}`)
  }, [shown, place, ids, model])
  const show = (step: 1 | -1) => {
    const wanted = ids[place + step]
    if (!idle || wanted === undefined) return
    if (group.current) hold(group.current)
    void attempt(ask('message.showVersion', { id: conversationId, messageId: wanted }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    show(event.key === 'ArrowLeft' ? -1 : 1)
  }
  // A disabled button would lose the focus at the first and the last version.
  const disabled = (step: 1 | -1) => !idle || ids[place + step] === undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <span ref={group} role="group" aria-label="Versions" className="versions" onKeyDown={onKeyDown}>
      <IconButton label="Previous version" icon={<BackIcon />} aria-disabled={disabled(-1)} onClick={() => show(-1)} />
      <span className="meta">
        {place + 1}/{ids.length}
      </span>
      <IconButton label="Next version" icon={<ChevronRightIcon />} aria-disabled={disabled(1)} onClick={() => show(1)} />
    </span>
  )
}
