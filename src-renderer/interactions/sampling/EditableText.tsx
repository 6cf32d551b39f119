import type { ReactNode } from 'react'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import { LongText } from '../../content/text/LongText.tsx'
import { readWhole } from '../../state/read-text.ts'
import { useAction } from '../../state/use-action.ts'
import { bytes, counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { visibleParts } from '../../ui/visible-text.ts'

/** Longer texts are shown, and can be removed, but not edited here. */
const EDIT_LIMIT = 200_000

interface EditableTextProps {
  /** The accessible name. */
  readonly label: string
  readonly original: BoundedText
  /** Undefined while it is as it came. */
  readonly edited: string | undefined
  /** Undefined takes the change back. */
  readonly onChange: (text: string | undefined) => void
}

/** A text from outside that may be changed before it goes on. What did not travel whole is fetched first. */
export function EditableText({ label, original, edited, onChange }: EditableTextProps) {
  const { whole } = original
  if (whole && edited === undefined) return <LongOriginal label={label} original={original} onEdit={onChange} />
  const text = edited ?? original.text
  const changed = edited !== undefined && (whole !== undefined || edited !== original.text)
  return (
    <div className="editable">
      <TextArea code label={label} hideLabel hint={invisibleNote(text)} dir="auto" rows={1} value={text} onChange={onChange} />
      {changed ? (
        <div className="editable-foot meta">
          <span>Edited</span>
          <Button size="small" variant="quiet" aria-label={`Undo edit of ${label}`} onClick={() => onChange(undefined)}>
            Undo
          </Button>
        </div>
      ) : null}
    </div>
  )
}

interface LongOriginalProps {
  readonly label: string
  readonly original: BoundedText
  readonly onEdit: (text: string) => void
}

function LongOriginal({ label, original, onEdit }: LongOriginalProps) {
  const { busy, problem, run } = useAction()
  const { whole } = original
  const fetchAll = () => void run(async () => onEdit(await readWhole([original])))
  return (
    <div className="editable">
      <LongText content={original} />
      <div className="editable-foot meta">
        {whole && whole.bytes > EDIT_LIMIT ? (
          <span>Too long to edit here ({bytes(whole.bytes)}). Send it as it is, or remove it.</span>
        ) : (
          <Button size="small" disabled={busy} aria-label={`Edit ${label}`} onClick={fetchAll}>
            Edit
          </Button>
        )}
        {problem !== undefined ? <span role="alert">The text could not be read. Try again.</span> : null}
      </div>
    </div>
  )
}

/** An input cannot mark what is not seen in it, so that it is told. */
function invisibleNote(text: string): ReactNode {
  const marks = visibleParts(text).filter((part) => typeof part !== 'string')
  if (marks.length === 0) return undefined
  const kinds = [...new Set(marks.map(({ name, code }) => `${name} (${code})`))]
  return (
    <span className="editable-invisible">
      {counted(marks.length, 'invisible character')}: {kinds.slice(0, 4).join(', ')}
      {kinds.length > 4 ? ' and others' : ''}.
    </span>
  )
}
