import { useRef } from 'react'
import type { FileAttachment } from '../../src-shared/contract/attachments.ts'
import type { Project } from '../../src-shared/contract/projects.ts'
import { attachFiles } from '../conversation/attachments/attach-files.ts'
import { FileUploads } from '../conversation/attachments/ComposerFiles.tsx'
import { FileChip } from '../conversation/attachments/FileChip.tsx'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { offerUndo } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { DropTarget } from '../ui/DropTarget.tsx'
import { useFileInput } from '../ui/fields/use-file-input.tsx'
import { visibleText } from '../ui/visible-text.ts'

/** The files that a project gives the model in each of its conversations. */
export function ProjectFiles({ project: { id, model, files } }: { readonly project: Project }) {
  const adding = useFileInput({ label: 'Files to add', multiple: true, onFiles: (chosen) => attachFiles(target, chosen) })
  const button = useRef<HTMLButtonElement>(null)
  const defaultModel = useHost((mirror) => mirror.host.settings.defaultModel)
  const target = { place: { project: id }, model: model ?? defaultModel, waiting: files }
  const remove = async ({ id: attachmentId, title }: FileAttachment) => {
    // The pressed button disappears with its file; the focus needs another place.
    button.current?.focus()
    if (!(await attempt(ask('project.removeFile', { id, attachmentId })))) return
    const undo = () => void attempt(ask('project.restoreFile', { id, attachmentId }))
    offerUndo({ text: `Removed “${visibleText(title).slice(0, 60)}”`, undo })
  }
  return (
    <>
      <DropTarget onFiles={(dropped) => attachFiles(target, dropped)}>Drop files to add them to this project</DropTarget>
      {files.length === 0 ? null : (
        <ul className="attachments actions" aria-label="Files of this project">
          {files.map((file) => (
            <li key={file.id}>
              <FileChip file={file} onRemove={() => void remove(file)} />
            </li>
          ))}
        </ul>
      )}
      <FileUploads place={target.place} />
      <div>
        <Button ref={button} onClick={adding.choose}>
          Add files …
        </Button>
      </div>
      {adding.input}
    </>
  )
}
