import { type KeyboardEvent, useState } from 'react'
import { NAMED_LENGTH, NAMED_LIMIT, type Place, ROOT_LIMIT } from '../../../src-shared/contract/projects.ts'
import { useAction } from '../../state/use-action.ts'
import { announce } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { FolderRows } from './FolderRows.tsx'
import '../forms.css'
import { useFolderChanges } from './use-folder-changes.ts'

interface PlaceFieldsProps {
  /** The owner of the place: “this conversation”. */
  readonly of: string
  readonly place: Place
  readonly save: (place: Place) => Promise<unknown>
}

/** Folders, sites, people and other places that a person names; each change is saved at once. */
export function PlaceFields({ of, place, save }: PlaceFieldsProps) {
  const folders = useFolderChanges(`Choose a folder for ${of}`, place.folders, (next) => save({ ...place, folders: next }))
  return (
    <div className="column-4">
      <div className="column">
        <h3>Folders</h3>
        {place.folders.length === 0 ? (
          <p className="soft">None.</p>
        ) : (
          <FolderRows
            label="Folders"
            folders={place.folders}
            onRemove={folders.remove}
            onEditable={folders.setEditable}
            disabled={folders.busy}
          />
        )}
        <FailureLine framed problem={folders.problem} />
        <div>
          {/* Disabling it during a save would take the focus from it. */}
          <Button disabled={place.folders.length >= ROOT_LIMIT} onClick={() => folders.busy || folders.picker.open()}>
            Add a folder …
          </Button>
        </div>
        {folders.picker.dialog}
      </div>
      <NamedFields
        title="Sites"
        field="Site"
        example="example.org"
        names={place.hosts}
        save={(hosts) => save({ ...place, hosts })}
      />
      <NamedFields
        title="People, channels, calendars, mailboxes"
        field="Person or place"
        example="ann@example.org or #sales"
        names={place.recipients}
        save={(recipients) => save({ ...place, recipients })}
      />
    </div>
  )
}

interface NamedFieldsProps {
  readonly title: string
  readonly field: string
  readonly example: string
  readonly names: readonly string[]
  readonly save: (names: readonly string[]) => Promise<unknown>
}

function NamedFields({ title, field, example, names, save }: NamedFieldsProps) {
  const { busy, problem, run } = useAction()
  const [typed, setTyped] = useState('')
  const change = async (next: readonly string[], said: string) => {
    const saved = await run(() => save(next))
    if (saved) announce(said)
    return saved
  }
  const add = async () => {
    const name = typed.trim()
    if (name !== '' && (await change([...names, name], `Added ${visibleText(name)}`))) setTyped('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    void add()
  }
  return (
    <div className="column">
      <h3>{title}</h3>
      {names.length === 0 ? null : (
        <ul className="folder-rows framed divided" aria-label={title}>
          {names.map((name) => (
            <li key={name} className="folder-row row">
              <VisibleText as="code" className="breaks grow" text={name} />
              <Button
                size="small"
                aria-label={`Remove ${visibleText(name)}`}
                disabled={busy}
                onClick={() => {
                  const others = names.filter((one) => one !== name)
                  void change(others, `Removed ${visibleText(name)}`)
                }}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {names.length >= NAMED_LIMIT ? null : (
        <TextField
          label={field}
          hideLabel
          placeholder={example}
          maxLength={NAMED_LENGTH}
          value={typed}
          problem={problem}
          onChange={setTyped}
          onKeyDown={onKeyDown}
          beside={
            <Button aria-label={`Add ${field.toLowerCase()}`} disabled={busy || typed.trim() === ''} onClick={() => void add()}>
              Add
            </Button>
          }
        />
      )}
    </div>
  )
}
