import { type FormEvent, useEffect, useRef, useState } from 'react'
import { HostError } from '../../src-shared/contract/errors.ts'
import type { FolderListing } from '../../src-shared/contract/requests.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { Skeleton } from '../ui/states.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import type { FolderPowers } from './use-folder-picker.ts'
import './forms.css'

export interface FolderPickerProps {
  readonly list: FolderPowers['list']
  /** Absolute; the host's suggestion when empty. */
  readonly start?: string
  readonly onChoose: (path: string) => void
  readonly onClose: () => void
}

/** The dialog "Choose a folder", for shells that have none of their own. It lists folders of the host's computer. */
export function FolderPicker({ list, start, onChoose, onClose }: FolderPickerProps) {
  const [wanted, setWanted] = useState(start || undefined)
  const [listing, setListing] = useState<FolderListing | undefined>()
  const [problem, setProblem] = useState<string | undefined>()
  const [typed, setTyped] = useState(start ?? '')
  const rows = useRef<HTMLUListElement>(null)
  /** What is being typed is not overwritten by a listing that comes late. */
  const typing = useRef(false)
  useEffect(() => {
    const controller = new AbortController()
    list(wanted, controller.signal)
      .then((found) => {
        if (controller.signal.aborted) return
        setListing(found)
        if (!typing.current) setTyped(found.path)
        setProblem(undefined)
        if (rows.current) rows.current.scrollTop = 0
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setProblem(error instanceof HostError ? error.message : 'The folder could not be read.')
      })
    return () => controller.abort()
  }, [list, wanted])
  const open = (path: string | undefined) => {
    typing.current = false
    setWanted(path)
  }
  const go = (event: FormEvent) => {
    event.preventDefault()
    open(typed.trim() || undefined)
  }
  const type = (text: string) => {
    typing.current = true
    setTyped(text)
  }
  return (
    <Dialog
      title="Choose a folder"
      onEscape={onClose}
      closeLabel="Close"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!listing || problem !== undefined}
            onClick={() => listing && onChoose(listing.path)}
          >
            Choose
          </Button>
        </>
      }
    >
      <form className="folder-path" onSubmit={go}>
        <TextField code label="Folder" value={typed} problem={problem} onChange={type} />
        <Button type="submit">Go</Button>
      </form>
      {listing && listing.suggestions.length > 0 ? (
        <div className="folder-suggestions">
          {listing.suggestions.map((path) => (
            <Button key={path} size="small" onClick={() => open(path)}>
              <VisibleText text={path} />
            </Button>
          ))}
        </div>
      ) : null}
      {listing ? (
        <ul className="folder-list" ref={rows} aria-label={`Folders in ${listing.path}`}>
          {listing.parent === undefined ? null : (
            <li>
              <button type="button" className="folder" onClick={() => open(listing.parent)}>
                ..<span className="unseen"> (the folder above)</span>
              </button>
            </li>
          )}
          {listing.folders.map((name) => (
            <li key={name}>
              <button type="button" className="folder" onClick={() => open(within(listing.path, name))}>
                <VisibleText text={name} />
              </button>
            </li>
          ))}
          {listing.folders.length === 0 ? <li className="meta folder">No folders in here.</li> : null}
          {listing.truncated ? <li className="meta folder">There are more. Type the path to get there.</li> : null}
        </ul>
      ) : problem === undefined ? (
        <Skeleton label="Loading folders" />
      ) : null}
    </Dialog>
  )
}

/** The host's computer, not this one, says how paths are written. */
function within(folder: string, name: string): string {
  const separator = folder.includes('\\') ? '\\' : '/'
  return folder.endsWith(separator) ? folder + name : folder + separator + name
}
