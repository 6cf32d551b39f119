import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { ask } from '../../state/ask.ts'
import { failureText } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { readWhole } from '../../state/read-text.ts'
import { useAction } from '../../state/use-action.ts'
import { closeEdit, editMessage, useView } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

export interface EditMessageProps {
  readonly conversationId: ConversationId
  readonly message: Message
  readonly words: readonly BoundedText[]
  /** `before` had the focus when it was opened. */
  readonly onDone: (before: Element | null) => void
}

/** Edits the person's message in place. */
export function EditMessage({ conversationId, message, words, onDone }: EditMessageProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const before = useRef<Element>(null)
  // The head of a long message is not what is to be edited: all of it is read first, once.
  const [said] = useState(words)
  const here = said.every(({ whole }) => whole === undefined)
  const [written, setWritten] = useState(here ? said.map(({ text }) => text).join('') : undefined)
  const edited = useView((view) => view.edits[message.id]) ?? written
  const [unread, setUnread] = useState<string>()
  const { busy, problem, run } = useAction()
  const sendWith = useHost((mirror) => mirror.host.settings.sendWith)
  useEffect(() => {
    if (here) return
    const controller = new AbortController()
    readWhole(said, controller.signal).then(setWritten, (error: unknown) => {
      if (!controller.signal.aborted) setUnread(failureText(error))
    })
    return () => controller.abort()
  }, [here, said])
  const read = edited !== undefined
  // With the field itself: the next key is meant for it.
  useLayoutEffect(() => {
    if (!read) return
    before.current = document.activeElement
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [read])
  const attached = message.parts.some((part) => part.type === 'resource' || part.type === 'file')
  const sendable = edited !== undefined && (edited.trim() !== '' || attached) && !busy
  const send = () =>
    void run(async () => {
      // Moved before the request: this form is removed with its message, and a question gives the focus back to where it was.
      document.querySelector<HTMLElement>('.composer-text')?.focus()
      await ask('conversation.editAndResend', { id: conversationId, messageId: message.id, text: edited ?? '' }).catch(
        (error) => {
          field.current?.focus()
          throw error
        },
      )
      closeEdit(message.id)
    })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onDone(before.current)
    } else if (event.key === 'Enter' && !event.shiftKey) {
      if (sendWith === 'ctrl-enter' && !event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      if (sendable) send()
    }
  }
  return (
    <form
      className="column"
      aria-label="Edit message"
      onSubmit={(event) => {
        event.preventDefault()
        if (sendable) send()
      }}
    >
      {edited === undefined ? (
        unread === undefined ? (
          <Skeleton label="Reading the message" />
        ) : null
      ) : (
        <>
          <label className="unseen" htmlFor={id}>
            Message
          </label>
          <textarea
            ref={field}
            id={id}
            className="ui-input message-edit-text"
            dir="auto"
            aria-describedby={`${id}-hint`}
            value={edited}
            onChange={(event) => editMessage(message.id, event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </>
      )}
      <ProblemCard problem={problem ?? unread} />
      <div className="actions message-edit-foot">
        <span className="meta" id={`${id}-hint`}>
          The replies stay with the old version.
        </span>
        <Button size="small" onClick={() => onDone(before.current)}>
          Cancel
        </Button>
        <Button size="small" variant="primary" type="submit" disabled={!sendable}>
          Send
        </Button>
      </div>
    </form>
  )
}
