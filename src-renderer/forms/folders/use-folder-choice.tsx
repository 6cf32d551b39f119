import { type ReactNode, useMemo } from 'react'
import { type FolderChoice, type FolderSuggestion, ROOT_LIMIT } from '../../../src-shared/contract/projects.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { FolderRows } from './FolderRows.tsx'
import { useFolderPicker } from './use-folder-picker.tsx'

export interface FolderChoosing {
  /** The chosen folders, as a server would be told of them. */
  readonly folders: readonly FolderChoice[]
  /** Suggestions to tick, what was added, and the button that adds. */
  readonly fields: ReactNode
  /** The page's own picker while it is open. Put it where no form is around it. */
  readonly dialog: ReactNode
}

/** Lets a person choose folders for a server: nothing is chosen beforehand (ROOT-13, ROOT-19). `title` is the system dialog's. */
export function useFolderChoice(
  title: string,
  suggestions: readonly FolderSuggestion[],
  paths: readonly string[],
  onChange: (paths: readonly string[]) => void,
): FolderChoosing {
  const tick = (path: string, on: boolean) => {
    const others = paths.filter((one) => one !== path)
    onChange(on ? [...others, path] : others)
  }
  const picker = useFolderPicker(title, (path) => tick(path, true))
  const suggested = useMemo(() => new Set(suggestions.map(({ path }) => path)), [suggestions])
  const folders = useMemo(
    () => paths.map((path) => namedAs(path, suggestions.find((one) => one.path === path)?.name)),
    [paths, suggestions],
  )
  const fields = (
    <>
      {suggestions.length > 0 ? (
        <fieldset className="ui-choices">
          <legend className="ui-field-label">Suggestions</legend>
          {suggestions.map(({ path, why }) => (
            <Checkbox
              key={path}
              label={<VisibleText as="code" text={path} />}
              hint={why}
              checked={paths.includes(path)}
              onChange={(on) => tick(path, on)}
            />
          ))}
        </fieldset>
      ) : null}
      <div className="folders-added column">
        <FolderRows
          label="Added folders"
          folders={folders.filter(({ path }) => !suggested.has(path))}
          onRemove={(path) => tick(path, false)}
        />
        <Button disabled={paths.length >= ROOT_LIMIT} onClick={picker.open}>
          Add a folder …
        </Button>
      </div>
    </>
  )
  return { folders, fields, dialog: picker.dialog }
}

function namedAs(path: string, name: string | undefined): FolderChoice {
  return name === undefined ? { path } : { path, name }
}
