import { useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { ask } from '../../state/ask.ts'
import { useRequest } from '../../state/use-request.ts'
import { announce } from '../../state/view-store.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { FormDialog } from '../FormDialog.tsx'
import { rootsHint } from './roots-hint.ts'
import { type ChosenFolder, useFolderChoice } from './use-folder-choice.tsx'

interface ChooseFoldersProps {
  readonly server: Pick<ServerRecord, 'id' | 'name' | 'options'>
  readonly onClose: () => void
}

/** The dialog in which a person shares folders with a server. */
export function ChooseFolders({ server: { id: serverId, name, options }, onClose }: ChooseFoldersProps) {
  const [chosen, setChosen] = useState<readonly ChosenFolder[]>([])
  const read = useRequest('roots.read', { serverId })
  const server = visibleText(name)
  const choice = useFolderChoice(`Choose a folder for ${server}`, read.value?.suggestions ?? [], chosen, setChosen)
  const share = async (folders: typeof choice.folders, said: string) => {
    await ask('roots.set', { serverId, folders })
    announce(said)
  }
  return (
    <>
      <FormDialog
        title={`Folders for ${server}`}
        verb="Share"
        grants
        disabled={choice.folders.length === 0}
        onSubmit={() => share(choice.folders, `${server} now knows these folders.`)}
        other={{ label: 'Don’t share', onSubmit: () => share([], 'No folder is shared.') }}
        onClose={onClose}
      >
        <p>{server} sees their paths and names. No restart needed.</p>
        <p className="meta">{rootsHint(options)}</p>
        {choice.fields}
      </FormDialog>
      {choice.dialog}
    </>
  )
}
