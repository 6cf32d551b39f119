import { useState } from 'react'
import { TITLE_LENGTH } from '../../src-shared/contract/conversations.ts'
import type { NoteHead } from '../../src-shared/contract/notes.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { offerUndo } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/fields/TextField.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { visibleText } from '../ui/visible-text.ts'

/** The saved answers, which can be renamed and removed. */
export function NotesSection() {
  const notes = useHost(({ host }) => host.notes)
  const remove = async ({ id, title }: NoteHead) => {
    if (!(await attempt(ask('note.remove', { id })))) return
    offerUndo({ text: `Removed “${visibleText(title)}”`, undo: () => void attempt(ask('note.restore', { id })) })
  }
  if (notes.length === 0) return <p className="soft">None yet. “Save as note” is in the menu of an answer.</p>
  return (
    <ul className="framed" aria-label="Notes">
      {notes.map((note) => (
        <li key={note.id} className="padded row">
          <NoteTitle note={note} />
          <span className="meta">
            <RelativeTime at={note.savedAt} />
          </span>
          <Button size="small" aria-label={`Remove “${visibleText(note.title)}”`} onClick={() => void remove(note)}>
            Remove
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Saved when the field is left or Enter is pressed. Words that are typed stay when another window renames the note. */
function NoteTitle({ note: { id, title } }: { readonly note: NoteHead }) {
  const [typed, setTyped] = useState<string>()
  const save = async () => {
    const isSame = typed === undefined || typed.trim() === '' || typed === title
    if (isSame || (await attempt(ask('note.rename', { id, title: typed })))) setTyped(undefined)
  }
  return (
    <form
      className="grow"
      onBlur={() => void save()}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField label="Title" hideLabel dir="auto" maxLength={TITLE_LENGTH} value={typed ?? title} onChange={setTyped} />
    </form>
  )
}
