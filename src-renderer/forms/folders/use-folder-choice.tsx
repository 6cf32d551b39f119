import { type ReactNode, useMemo } from 'react'
import { isObject } from '../../../src-shared/base/json.ts'
import { type FolderChoice, type FolderSuggestion, ROOT_LIMIT } from '../../../src-shared/contract/projects.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { EditableTick, FolderRows } from './FolderRows.tsx'
import { withEditable } from './use-folder-changes.ts'
import { useFolderPicker } from './use-folder-picker.tsx'

/** A folder as a draft keeps it; its name comes from its suggestion. */
export type ChosenFolder = Pick<FolderChoice, 'path' | 'editable'>

/** Reads the folders of a saved draft; entries of another shape are skipped. */
export function readChosen(kept: unknown): readonly ChosenFolder[] {
  if (!Array.isArray(kept)) return []
  return kept.flatMap((one): ChosenFolder[] =>
    isObject(one) && typeof one.path === 'string' ? [{ path: one.path, ...(one.editable === true && { editable: true }) }] : [],
  )
}

interface FolderChoosing {
  /** The chosen folders, as a server would be told of them. */
  readonly folders: readonly FolderChoice[]
  readonly fields: ReactNode
  /** The page's own picker while it is open. Render it outside any form. */
  readonly dialog: ReactNode
}

/** Lets a person choose folders for a server; none is preselected (ROOT-13, ROOT-19). `title` is the system dialog's. */
export function useFolderChoice(
  title: string,
  suggestions: readonly FolderSuggestion[],
  chosen: readonly ChosenFolder[],
  onChange: (chosen: readonly ChosenFolder[]) => void,
): FolderChoosing {
  const tick = (path: string, on: boolean) => {
    const others = chosen.filter((one) => one.path !== path)
    onChange(on ? [...others, { path }] : others)
  }
  const setEditable = (path: string, editable: boolean) =>
    onChange(chosen.map((one) => (one.path === path ? withEditable(one, editable) : one)))
  const picker = useFolderPicker(title, (path) => tick(path, true))
  const suggested = useMemo(() => new Set(suggestions.map(({ path }) => path)), [suggestions])
  const folders = useMemo(
    () =>
      chosen.map((folder): FolderChoice => {
        const name = suggestions.find(({ path }) => path === folder.path)?.name
        return name === undefined ? folder : { ...folder, name }
      }),
    [chosen, suggestions],
  )
  const fields = (
    <>
      {suggestions.length > 0 ? (
        <fieldset className="ui-choices">
          <legend className="ui-field-label">Suggestions</legend>
          {suggestions.map(({ path, why }) => {
            const folder = chosen.find((one) => one.path === path)
            return (
              <div key={path}>
                <Checkbox
                  label={<VisibleText as="code" text={path} />}
                  hint={why}
                  checked={folder !== undefined}
                  onChange={(on) => tick(path, on)}
                />
                {folder ? <EditableTick folder={folder} onChange={setEditable} /> : null}
              </div>
            )
          })}
        </fieldset>
      ) : null}
      <div className="folders-added column">
        <FolderRows
          label="Added folders"
          folders={folders.filter(({ path }) => !suggested.has(path))}
          onRemove={(path) => tick(path, false)}
          onEditable={setEditable}
        />
        <Button disabled={chosen.length >= ROOT_LIMIT} onClick={picker.open}>
          Add a folder …
        </Button>
      </div>
    </>
  )
  return { folders, fields, dialog: picker.dialog }
}
