import { useState } from 'react'
import { attempt, pickFolder } from '../state/actions.ts'
import { useHost } from '../state/host-store.ts'

export interface FolderPickerState {
  /** Whether the dialog in the page is to be shown. */
  readonly isOpen: boolean
  readonly open: () => void
  readonly choose: (path: string) => void
  readonly close: () => void
}

/** The desktop shows the system's own dialog; elsewhere the page shows "Choose a folder". */
export function useFolderPicker(title: string, onPicked: (path: string) => void): FolderPickerState {
  const native = useHost((mirror) => mirror.host.shell === 'electron')
  const [isOpen, setOpen] = useState(false)
  const pick = async () => {
    const { path } = await pickFolder(title)
    if (path !== null) onPicked(path)
  }
  return {
    isOpen,
    open: () => (native ? void attempt(pick()) : setOpen(true)),
    choose: (path) => {
      setOpen(false)
      onPicked(path)
    },
    close: () => setOpen(false),
  }
}
