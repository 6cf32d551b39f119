import { useEffect, useState } from 'react'
import { counted } from '../amounts.ts'
import { Button } from '../Button.tsx'
import { TextArea } from './TextArea.tsx'

/** Unsaved texts by owner, so that a person may leave the page and come back. */
const unsaved = new Map<string, string>()

interface SavedTextProps {
  readonly label: string
  /** Identifies the owner of the text. */
  readonly of: string
  readonly value: string
  readonly maxLength: number
  /** Resolves to undefined on failure; never rejects. */
  readonly onSave: (text: string) => Promise<unknown>
}

/** Text that is kept when Save is pressed; unsaved changes are kept in memory and marked. */
export function SavedText({ label, of, value, maxLength, onSave }: SavedTextProps) {
  const [typed, setTyped] = useState(() => unsaved.get(of))
  const [busy, setBusy] = useState(false)
  const text = typed ?? value
  const changed = text !== value
  const over = text.length - maxLength
  const held = !changed || over > 0 || busy
  useEffect(() => {
    if (changed) unsaved.set(of, text)
    else unsaved.delete(of)
  }, [of, text, changed])
  const save = async () => {
    setBusy(true)
    if (await onSave(text)) setTyped((now) => (now === text ? undefined : now))
    setBusy(false)
  }
  return (
    <div className="column">
      <TextArea
        label={label}
        hideLabel
        rows={5}
        dir="auto"
        value={text}
        problem={over > 0 ? `${counted(over, 'character')} too many` : undefined}
        onChange={setTyped}
      />
      <div className="line">
        {/* A disabled button would lose the focus when it is pressed. */}
        <Button aria-disabled={held} onClick={() => held || void save()}>
          Save
        </Button>
        {changed ? (
          <>
            <Button variant="quiet" onClick={() => setTyped(undefined)}>
              Discard changes
            </Button>
            <span className="meta">Not saved</span>
          </>
        ) : null}
      </div>
    </div>
  )
}
