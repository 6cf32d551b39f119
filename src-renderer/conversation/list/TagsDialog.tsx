import { useRef, useState } from 'react'
import { type ConversationHead, TAG_LENGTH, TAG_LIMIT } from '../../../src-shared/contract/conversations.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { ask } from '../../state/ask.ts'
import { TextField } from '../../ui/fields/TextField.tsx'

/** The tags of one conversation, written with commas between them. */
export function TagsDialog({ head, onClose }: { readonly head: ConversationHead; readonly onClose: () => void }) {
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
  const save = () => (problem === undefined ? ask('conversation.tag', { id: head.id, tags }) : undefined)
  return (
    <FormDialog title="Tags" size="small" initialFocus={field} verb="Save" onSubmit={save} onOutside={onClose} onClose={onClose}>
      <TextField
        ref={field}
        label="Tags of this conversation"
        hint="Commas between them."
        value={text}
        problem={problem}
        onChange={setText}
      />
    </FormDialog>
  )
}
