import { useState } from 'react'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { type FolderChoice, ROOT_LIMIT } from '../../../src-shared/contract/roots.ts'
import { FolderRows } from '../../forms/FolderRows.tsx'
import { useFolderChanges } from '../../forms/use-folder-changes.ts'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { routeHash } from '../../state/route.ts'
import { sortedServers } from '../../state/selectors.ts'
import { useAsked } from '../../state/use-asked.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

/** The dialog "Folders of this conversation". They mark paths in arguments; no server is told of them. */
export function FoldersDialog({ id, onClose }: { readonly id: ConversationId; readonly onClose: () => void }) {
  const read = useAsked('conversation.folders', { id })
  const [changed, setChanged] = useState<readonly FolderChoice[]>()
  const folders = changed ?? read.value?.folders
  const save = async (next: readonly FolderChoice[]) => {
    await ask('conversation.setFolders', { id, folders: next })
    // The host may write them in another way.
    setChanged((await ask('conversation.folders', { id })).folders)
  }
  const changes = useFolderChanges('Choose a folder for this conversation', folders ?? [], save)
  const problem = changes.problem ?? read.problem
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
          <FolderRows label="Folders of this conversation" folders={folders} onRemove={changes.remove} disabled={changes.busy} />
        )}
        {problem === undefined ? null : (
          <p className="folders-problem" role="alert">
            {problem}
          </p>
        )}
        <div>
          <Button disabled={changes.busy || folders === undefined || folders.length >= ROOT_LIMIT} onClick={changes.picker.open}>
            Add a folder …
          </Button>
        </div>
        <ToldElsewhere onLeave={onClose} />
      </Dialog>
      {changes.picker.dialog}
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
