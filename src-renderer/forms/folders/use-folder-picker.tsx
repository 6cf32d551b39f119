import { type ReactNode, useState } from 'react'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import type { FolderPickerProps } from './FolderPicker.tsx'

const FolderPicker = onDemand<FolderPickerProps>(() => import('./FolderPicker.tsx').then((module) => module.FolderPicker))

export interface FolderPicking {
  readonly open: () => void
  /** The page's own dialog while it is open. Render it outside any form. */
  readonly dialog: ReactNode
}

/** Lets a person choose a folder, or a file, of the host's computer: in the system's dialog on the desktop, in the page's elsewhere. */
export function useFolderPicker(
  title: string,
  onPicked: (path: string) => void,
  start?: string,
  kind: FolderPickerProps['kind'] = 'folder',
): FolderPicking {
  const native = useHost((mirror) => mirror.host.shell === 'electron')
  const [isOpen, setOpen] = useState(false)
  const pick = async () => {
    const [picked] = (await attempt(ask(kind === 'file' ? 'platform.pickFile' : 'platform.pickFolder', { title }))) ?? []
    if (picked && picked.path !== null) onPicked(picked.path)
  }
  const choose = (path: string) => {
    setOpen(false)
    onPicked(path)
  }
  return {
    open: () => (native ? void pick() : setOpen(true)),
    dialog: isOpen ? <FolderPicker kind={kind} start={start ?? ''} onChoose={choose} onClose={() => setOpen(false)} /> : null,
  }
}
