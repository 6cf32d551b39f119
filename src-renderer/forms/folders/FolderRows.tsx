import type { FolderChoice, SharedFolder } from '../../../src-shared/contract/projects.ts'
import { Button } from '../../ui/Button.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import '../forms.css'

export interface FolderRowsProps {
  /** Names the list. */
  readonly label: string
  readonly folders: readonly (FolderChoice & { readonly state?: SharedFolder['state'] })[]
  readonly onRemove: (path: string) => void
  readonly disabled?: boolean
}

const STATES = { shared: '', missing: 'Missing, not shared', unreadable: 'Not readable, not shared' } as const

/** Folders that were chosen, each with a way out of the list. */
export function FolderRows({ label, folders, onRemove, disabled }: FolderRowsProps) {
  return (
    <ul className="folder-rows framed" aria-label={label}>
      {folders.map(({ path, name, state = 'shared' }) => (
        <li key={path} className="folder-row row">
          <div className="folder-row-text grow">
            <VisibleText as="code" text={path} />
            {name === undefined ? null : (
              <span className="meta">
                {' '}
                shared as “
                <VisibleText text={name} />”
              </span>
            )}
            {STATES[state] === '' ? null : <div className="folder-row-problem small">{STATES[state]}</div>}
          </div>
          <Button size="small" aria-label={`Remove ${visibleText(path)}`} disabled={disabled} onClick={() => onRemove(path)}>
            Remove
          </Button>
        </li>
      ))}
    </ul>
  )
}
