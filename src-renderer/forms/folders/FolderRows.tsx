import type { FolderChoice, SharedFolder } from '../../../src-shared/contract/projects.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { GrantTicks } from '../../ui/GrantTicks.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import '../forms.css'

interface FolderRowsProps {
  readonly label: string
  readonly folders: readonly (FolderChoice & { readonly state?: SharedFolder['state'] })[]
  readonly onRemove: (path: string) => void
  readonly onEditable: (path: string, editable: boolean) => void
  readonly disabled?: boolean
}

const STATES = { shared: '', missing: 'Missing, not shared', unreadable: 'Not readable, not shared' } as const

/** Chosen folders, each with a button that removes it. */
export function FolderRows({ label, folders, onRemove, onEditable, disabled }: FolderRowsProps) {
  return (
    <ul className="folder-rows framed divided" aria-label={label}>
      {folders.map(({ path, name, editable = false, state = 'shared' }) => (
        <li key={path} className="folder-row row">
          <div className="breaks grow">
            <VisibleText as="code" text={path} />
            {name === undefined ? null : (
              <span className="meta">
                {' '}
                shared as “
                <VisibleText text={name} />”
              </span>
            )}
            {STATES[state] === '' ? null : <div className="tone-wait small">{STATES[state]}</div>}
            <EditableTick folder={{ path, editable }} onChange={onEditable} disabled={disabled} />
          </div>
          <Button size="small" aria-label={`Remove ${visibleText(path)}`} disabled={disabled} onClick={() => onRemove(path)}>
            Remove
          </Button>
        </li>
      ))}
    </ul>
  )
}

interface EditableTickProps {
  readonly folder: { readonly path: string; readonly editable?: boolean }
  readonly onChange: (path: string, editable: boolean) => void
  readonly disabled?: boolean | undefined
}

/** The permission to change harmless files in a folder. GrantTicks keeps a stray key or click from giving it. */
export function EditableTick({ folder: { path, editable = false }, onChange, disabled = false }: EditableTickProps) {
  return (
    <GrantTicks>
      <Checkbox
        label={
          <>
            May change files here <span className="unseen">in {visibleText(path)}</span>
          </>
        }
        hint="Not scripts, settings or instructions for models."
        checked={editable}
        disabled={disabled}
        onChange={(on) => onChange(path, on)}
      />
    </GrantTicks>
  )
}
