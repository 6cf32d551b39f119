import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ask } from '../../state/ask.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { GrantButton } from '../../ui/GrantButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { FolderFinder, type FolderFinding, type ListFolder } from './folder-finder.ts'
import '../forms.css'

export interface FolderPickerProps {
  readonly kind: 'folder' | 'file'
  /** An absolute path, or empty for the host's suggestion. */
  readonly start: string
  readonly onChoose: (path: string) => void
  readonly onClose: () => void
}

const listingOf =
  (kind: FolderPickerProps['kind']): ListFolder =>
  (path, signal) =>
    ask('folder.list', { ...(path !== undefined && { path }), ...(kind === 'file' && { files: true as const }) }, signal)

/** The dialog "Choose a folder", or a file, for shells without one of their own. It lists folders of the host's computer. */
export function FolderPicker({ kind, start, onChoose, onClose }: FolderPickerProps) {
  const [finding, setFinding] = useState<FolderFinding>({ typed: start })
  const [finder] = useState(() => new FolderFinder(listingOf(kind), start, setFinding))
  const rows = useRef<HTMLUListElement>(null)
  const field = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first folder comes from outside
  useEffect(() => {
    void finder.open(start || undefined)
    return () => finder.end()
  }, [finder])
  const { typed, listing, problem } = finding
  const path = listing?.path
  // Typing replaces a path that was filled in while the field had the focus.
  useLayoutEffect(() => {
    const element = field.current
    if (path !== undefined && element?.value === path && element === document.activeElement) element.select()
  }, [path])
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls up for another folder only
  useEffect(() => {
    if (rows.current) rows.current.scrollTop = 0
  }, [path])
  const open = (folder: string | undefined) => void finder.open(folder)
  const go = (event: FormEvent) => {
    event.preventDefault()
    void finder.go()
  }
  const choose = async () => {
    const chosen = await finder.choose()
    if (chosen !== undefined) onChoose(chosen)
  }
  return (
    <Dialog
      title={`Choose a ${kind}`}
      onEscape={onClose}
      closeLabel="Close"
      initialFocus={field}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {/* Some callers grant access to the chosen folder at once. A file is chosen by its row, and only named. */}
          {kind === 'file' ? null : (
            <GrantButton variant="primary" held={!listing && typed.trim() === ''} onGrant={() => void choose()}>
              Choose
            </GrantButton>
          )}
        </>
      }
    >
      <form onSubmit={go}>
        <TextField
          code
          label="Folder"
          value={typed}
          problem={problem}
          ref={field}
          onChange={(text) => finder.type(text)}
          beside={<Button type="submit">Go</Button>}
        />
      </form>
      {/* Its height is fixed: a listing that arrives must not move a button under the pointer. */}
      <div className="folder-places column-3">
        {listing && listing.suggestions.length > 0 ? (
          <div className="actions">
            {listing.suggestions.map((path) => (
              <Button key={path} size="small" onClick={() => open(path)}>
                <VisibleText text={path} />
              </Button>
            ))}
          </div>
        ) : null}
        {listing ? (
          <ul className="scrolls framed" ref={rows} aria-label={`${kind === 'file' ? 'Files' : 'Folders'} in ${listing.path}`}>
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
            {listing.files?.map((name) => (
              <li key={name}>
                <button type="button" className="folder" onClick={() => onChoose(within(listing.path, name))}>
                  <VisibleText text={name} />
                </button>
              </li>
            ))}
            {listing.folders.length === 0 && !listing.files?.length ? (
              <li className="meta folder">{`No ${kind === 'file' ? 'files' : 'folders'} here.`}</li>
            ) : null}
            {listing.truncated ? <li className="meta folder">There are more. Type a path to open it.</li> : null}
          </ul>
        ) : problem === undefined ? (
          <Skeleton label="Loading folders" />
        ) : null}
      </div>
    </Dialog>
  )
}

/** Paths are written as on the host's computer, which may differ from this one. */
function within(folder: string, name: string): string {
  const separator = folder.includes('\\') ? '\\' : '/'
  return folder.endsWith(separator) ? folder + name : folder + separator + name
}
