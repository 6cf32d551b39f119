import { type FormEvent, useId, useRef, useState } from 'react'
import { type ConversationHead, TAG_LENGTH, TAG_LIMIT } from '../../../src-shared/contract/conversations.ts'
import { attempt } from '../../state/actions.ts'
import { tagConversation } from '../../state/context-actions.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields.tsx'

/** The tags of one conversation, written with commas between them. */
export function TagsDialog({ head, onClose }: { readonly head: ConversationHead; readonly onClose: () => void }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState((head.tags ?? []).join(', '))
  const tags = [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
  const tooLong = tags.find((tag) => tag.length > TAG_LENGTH)
  const problem =
    tooLong !== undefined
      ? `“${tooLong.slice(0, 20)}…” is longer than ${TAG_LENGTH} characters.`
      : tags.length > TAG_LIMIT
        ? `At most ${TAG_LIMIT} tags.`
        : undefined
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (problem === undefined && (await attempt(tagConversation(head.id, tags)))) onClose()
  }
  return (
    <Dialog
      title="Tags"
      size="small"
      closeLabel="Close"
      onEscape={onClose}
      onOutside={onClose}
      initialFocus={field}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={id}>
            Save
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={(event) => void save(event)}>
        <TextField
          ref={field}
          label="Tags of this conversation"
          hint="Commas between them."
          value={text}
          problem={problem}
          onChange={setText}
        />
      </form>
    </Dialog>
  )
}
