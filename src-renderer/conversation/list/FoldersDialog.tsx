import { useEffect, useState } from 'react'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { type FolderChoice, ROOT_LIMIT } from '../../../src-shared/contract/roots.ts'
import { FolderPicker } from '../../forms/FolderPicker.tsx'
import { FolderRows } from '../../forms/FolderRows.tsx'
import { useFolderPicker } from '../../forms/use-folder-picker.ts'
import { failureText, folderPowers } from '../../state/actions.ts'
import { readFolders, setFolders } from '../../state/context-actions.ts'
import { useHost } from '../../state/host-store.ts'
import { routeHash } from '../../state/route.ts'
import { sortedServers } from '../../state/selectors.ts'
import { announce } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'

/** The dialog "Folders of this conversation". They mark paths in arguments; no server is told of them. */
export function FoldersDialog({ id, onClose }: { readonly id: ConversationId; readonly onClose: () => void }) {
  const native = useHost((mirror) => mirror.host.shell === 'electron')
  const [folders, setShown] = useState<readonly FolderChoice[]>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    const giveUp = new AbortController()
    readFolders(id, giveUp.signal).then(
      (read) => giveUp.signal.aborted || setShown(read.folders),
      (error: unknown) => giveUp.signal.aborted || setProblem(failureText(error)),
    )
    return () => giveUp.abort()
  }, [id])
  const change = async (next: readonly FolderChoice[], said: string) => {
    setBusy(true)
    try {
      await setFolders(id, next)
      setShown((await readFolders(id)).folders)
      setProblem(undefined)
      announce(said)
    } catch (error) {
      setProblem(failureText(error))
    }
    setBusy(false)
  }
  const chosen = folders ?? []
  const picker = useFolderPicker({ ...folderPowers, native }, 'Choose a folder for this conversation', (path) => {
    if (chosen.some((one) => one.path === path)) return
    void change([...chosen, { path }], `Added ${visibleText(path)}`)
  })
  const remove = (path: string) =>
    void change(
      chosen.filter((one) => one.path !== path),
      `Removed ${visibleText(path)}`,
    )
  return (
    <>
      <Dialog
        title="Folders of this conversation"
        closeLabel="Close"
        onEscape={onClose}
        footer={<Button onClick={onClose}>Done</Button>}
      >
        <p className="soft">
          When a tool call names a path outside these folders, its question marks it. That is all they do: no server is told of
          them.
        </p>
        {folders === undefined ? (
          problem === undefined ? (
            <Skeleton label="Loading the folders" lines={2} />
          ) : null
        ) : folders.length === 0 ? (
          <p>None yet.</p>
        ) : (
          <FolderRows label="Folders of this conversation" folders={folders} onRemove={remove} disabled={busy} />
        )}
        {problem === undefined ? null : (
          <p className="folders-problem" role="alert">
            {problem}
          </p>
        )}
        <div>
          <Button disabled={busy || folders === undefined || chosen.length >= ROOT_LIMIT} onClick={picker.open}>
            Add a folder …
          </Button>
        </div>
        <ToldElsewhere onLeave={onClose} />
      </Dialog>
      {picker.isOpen ? <FolderPicker list={folderPowers.list} onChoose={picker.choose} onClose={picker.close} /> : null}
    </>
  )
}

/** Where the folders are that servers are told of. */
function ToldElsewhere({ onLeave }: { readonly onLeave: () => void }) {
  const servers = useHost((mirror) => mirror.host.servers)
  const all = sortedServers(servers)
  if (all.length === 0) return null
  return (
    <p className="meta">
      What a server is told is chosen in its Roots tab:{' '}
      {all.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 ? ', ' : null}
          <a href={routeHash({ section: 'servers', id, tab: 'roots' })} onClick={onLeave}>
            <VisibleText text={name} />
          </a>
        </span>
      ))}
    </p>
  )
}
