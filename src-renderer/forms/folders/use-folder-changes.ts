import { defined } from '../../../src-shared/base/defined.ts'
import type { FolderChoice } from '../../../src-shared/contract/projects.ts'
import { type Action, useAction } from '../../state/use-action.ts'
import { announce } from '../../state/view-store.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { type FolderPicking, useFolderPicker } from './use-folder-picker.tsx'

interface FolderChanges extends Omit<Action, 'run'> {
  /** Saves other folders in their place and announces `said`. */
  readonly change: (next: readonly FolderChoice[], said: string) => Promise<void>
  readonly add: (folder: FolderChoice) => void
  readonly remove: (path: string) => void
  readonly setEditable: (path: string, editable: boolean) => void
  readonly picker: FolderPicking
}

/** Edits folders that the host keeps; each change is saved at once. `title` is the system dialog's. */
export function useFolderChanges(
  title: string,
  folders: readonly FolderChoice[],
  save: (folders: readonly FolderChoice[]) => Promise<unknown>,
): FolderChanges {
  const { run, ...state } = useAction()
  // The host derives the state of a folder and does not take it back.
  const chosen = folders.map(({ path, name, editable }): FolderChoice => ({ path, ...defined({ name, editable }) }))
  const change = async (next: readonly FolderChoice[], said: string) => {
    if (await run(() => save(next))) announce(said)
  }
  const add = (folder: FolderChoice) => {
    if (chosen.some(({ path }) => path === folder.path)) return
    void change([...chosen, folder], `Added ${visibleText(folder.path)}`)
  }
  const remove = (path: string) =>
    void change(
      chosen.filter((one) => one.path !== path),
      `Removed ${visibleText(path)}`,
    )
  const setEditable = (path: string, editable: boolean) => {
    const next = chosen.map((one) => (one.path === path ? withEditable(one, editable) : one))
    const said = editable ? 'Files may be changed in' : 'You are asked about changes in'
    void change(next, `${said} ${visibleText(path)}`)
  }
  return { ...state, change, add, remove, setEditable, picker: useFolderPicker(title, (path) => add({ path })) }
}

export function withEditable({ editable: _editable, ...folder }: FolderChoice, editable: boolean): FolderChoice {
  return editable ? { ...folder, editable } : folder
}
