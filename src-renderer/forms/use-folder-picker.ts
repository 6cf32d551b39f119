import { useState } from 'react'
import type { FolderListing } from '../../src-shared/contract/requests.ts'

/** What choosing a folder needs of the window. */
export interface FolderPowers {
  /** The desktop shell shows the system's own dialog; elsewhere the page shows "Choose a folder". */
  readonly native: boolean
  readonly pick: (title: string) => Promise<{ readonly path: string | null }>
  readonly list: (path: string | undefined, signal: AbortSignal) => Promise<FolderListing>
  /** The native dialog could not be shown. */
  readonly failed: (error: unknown) => void
}

export interface FolderPickerState {
  /** Whether `FolderPicker` is to be shown. */
  readonly isOpen: boolean
  readonly open: () => void
  readonly choose: (path: string) => void
  readonly close: () => void
}

export function useFolderPicker(powers: FolderPowers, title: string, onPicked: (path: string) => void): FolderPickerState {
  const [isOpen, setOpen] = useState(false)
  const pick = async () => {
    try {
      const { path } = await powers.pick(title)
      if (path !== null) onPicked(path)
    } catch (error) {
      powers.failed(error)
    }
  }
  return {
    isOpen,
    open: () => (powers.native ? void pick() : setOpen(true)),
    choose: (path) => {
      setOpen(false)
      onPicked(path)
    },
    close: () => setOpen(false),
  }
}
