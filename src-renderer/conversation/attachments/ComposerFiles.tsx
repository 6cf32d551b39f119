import { useEffect, useRef } from 'react'
import { isFile } from '../../../src-shared/contract/attachments.ts'
import type { WaitingCost } from '../../../src-shared/contract/context.ts'
import { useHost } from '../../state/host-store.ts'
import { modelEntry } from '../../state/models.ts'
import { useView } from '../../state/view-store.ts'
import { IconButton } from '../../ui/Button.tsx'
import { DropTarget } from '../../ui/DropTarget.tsx'
import { isTyping } from '../../ui/fields/keys.ts'
import { CloseIcon } from '../../ui/icons.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { attachFiles } from './attach-files.ts'
import './attachments.css'
import { type FilesPlace, type FilesTarget, type FileUpload, forgetRefusals, useFileUploads } from './file-uploads.ts'
import { takeFiles } from './take-files.ts'

interface ComposerFilesProps extends FilesTarget {
  /** The model's share of the waiting files, once it is known. */
  readonly costs: readonly WaitingCost[] | undefined
  readonly live: boolean
}

/**
 * Files that are dropped on the window, or pasted where no other field takes them; their uploads; and notes about what the model
 * gets of them.
 */
export function ComposerFiles({ live, costs = [], ...target }: ComposerFilesProps) {
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(target)
  const waits = target.waiting.length > 0
  // This also runs when the message was sent.
  useEffect(() => (waits ? forgetRefusals : undefined), [waits])
  useEffect(() => {
    latest.current = target
  })
  useEffect(() => {
    const form = element.current?.closest('form')
    if (!form || !live) return
    const paste = (event: ClipboardEvent) => {
      const here = event.target instanceof Node && form.contains(event.target)
      if (!here && (isTyping(event) || document.querySelector('dialog:modal'))) return
      const files = event.clipboardData ? pastedFiles(event.clipboardData) : []
      if (files.length === 0) return
      event.preventDefault()
      attachFiles(latest.current, files)
      if (!here) form.querySelector('textarea')?.focus()
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [live])
  const handed = useView((view) => view.handed)
  useEffect(() => {
    if (!live || handed.length === 0) return
    useView.setState({ handed: [] })
    attachFiles(latest.current, handed)
  }, [live, handed])
  const take = async (files: readonly File[]) => {
    const attached = await takeFiles(files)
    if (attached.length > 0) attachFiles(latest.current, attached)
  }
  return (
    <div ref={element}>
      {live ? <DropTarget onFiles={(files) => void take(files)}>Drop files to attach them</DropTarget> : null}
      <FileUploads place={target.place} />
      <FileNotes {...target} costs={costs} />
    </div>
  )
}

/** Files being attached to a place, and refused ones. */
export function FileUploads({ place }: { readonly place: FilesPlace }) {
  const uploads = useFileUploads(place)
  if (uploads.length === 0) return null
  return (
    <ul className="uploads actions small" aria-label="Files being attached">
      {uploads.map((upload) => (
        <li key={upload.key} className={upload.problem === undefined ? undefined : 'upload-line'}>
          <Upload upload={upload} />
        </li>
      ))}
    </ul>
  )
}

function Upload({ upload: { name, share, problem, cancel } }: { readonly upload: FileUpload }) {
  const shown = visibleText(name).slice(0, 80)
  if (problem !== undefined) {
    return (
      <p className="upload row upload-refused" role="alert">
        <VisibleText as="span" text={problem} />
        <IconButton label="Dismiss" icon={<CloseIcon />} onClick={cancel} />
      </p>
    )
  }
  return (
    <div className="upload row">
      <span className="one-line">{shown}</span>
      {share < 1 ? <progress aria-label={`Attaching ${shown}`} value={share} max={1} /> : <span className="meta">Reading …</span>}
      <IconButton label={`Cancel ${shown}`} icon={<CloseIcon />} onClick={cancel} />
    </div>
  )
}

const GIVEN: Readonly<Record<NonNullable<WaitingCost['given']>, string>> = {
  part: 'is long: the model gets its beginning and end, and can read the rest.',
  text: 'is too large for this model as a PDF: it gets only the text.',
}

/** Notes where the chosen model gets less of a waiting file than the person may think. */
function FileNotes({ model, waiting, costs }: FilesTarget & { readonly costs: readonly WaitingCost[] }) {
  const providers = useHost((mirror) => mirror.host.providers)
  const files = waiting.filter(isFile)
  const entry = modelEntry(providers, model)
  const blind = entry !== undefined && !entry.vision && files.some(({ file }) => file === 'image')
  const notes = files.flatMap(({ title, file, items, warnings }) => {
    const silent = file === 'pdf' && items.length < 2
    if (silent && entry?.documents) return []
    return warnings.map((warning) => `${title}: ${warning}`)
  })
  for (const { title, id } of waiting) {
    const given = costs.find((cost) => cost.id === id)?.given
    if (given) notes.push(`${title} ${GIVEN[given]}`)
  }
  if (blind) notes.unshift('This model can’t see images. Only file names are sent.')
  return notes.map((note) => (
    <p key={note} className="meta files-note" role="status">
      <VisibleText text={note} />
    </p>
  ))
}

/** The pasted files; none when a program pastes a picture of its text along with the text. */
function pastedFiles({ files, types }: DataTransfer): readonly File[] {
  const written = types.includes('text/plain') && (types.includes('text/html') || types.includes('text/rtf'))
  return written ? [] : [...files]
}
