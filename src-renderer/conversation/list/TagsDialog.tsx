import { useState } from 'react'
import { type ConversationHead, TAG_LENGTH, TAG_LIMIT } from '../../../src-shared/contract/conversations.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { ask } from '../../state/ask.ts'
import { TextField } from '../../ui/fields/TextField.tsx'

export interface TagsDialogProps {
  readonly heads: readonly ConversationHead[]
  readonly onClose: () => void
}

/** The tags of one conversation, written with commas between them; of several, such as they all get. */
export function TagsDialog({ heads, onClose }: TagsDialogProps) {
  const [only] = heads.length === 1 ? heads : []
  const [text, setText] = useState((only?.tags ?? []).join(', '))
  const tags = [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
  const tooLong = tags.find((tag) => tag.length > TAG_LENGTH)
  const problem =
    tooLong !== undefined
      ? `“${tooLong.slice(0, 20)}…” is longer than ${TAG_LENGTH} characters.`
      : tags.length > TAG_LIMIT
        ? `At most ${TAG_LIMIT} tags.`
        : undefined
  const tagAll = async () => {
    for (const head of heads) {
      const wanted = only ? tags : [...new Set([...(head.tags ?? []), ...tags])]
      await ask('conversation.tag', { id: head.id, tags: wanted.slice(0, TAG_LIMIT) })
    }
  }
  return (
    <FormDialog
      title={only ? 'Tags' : `Add tags to ${heads.length} conversations`}
      size="small"
      verb="Save"
      onSubmit={() => (problem === undefined ? tagAll() : undefined)}
      onClose={onClose}
    >
      <TextField
        label={only ? 'Tags of this conversation' : 'Tags'}
        hint="Commas between them."
        value={text}
        problem={problem}
        onChange={setText}
      />
    </FormDialog>
  )
}
