import { useRef, useState } from 'react'
import type { ProjectId } from '../../src-shared/contract/ids.ts'
import { PROJECT_NAME_LENGTH } from '../../src-shared/contract/projects.ts'
import { FormDialog } from '../forms/FormDialog.tsx'
import { ask } from '../state/ask.ts'
import { TextField } from '../ui/fields/TextField.tsx'

interface RenameDialogProps {
  readonly id: ProjectId
  readonly name: string
  readonly onClose: () => void
}

export function RenameDialog({ id, name, onClose }: RenameDialogProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(name)
  const problem = typed.trim() === '' ? 'Required' : undefined
  const save = () => (problem === undefined ? ask('project.change', { id, change: { name: typed } }) : undefined)
  return (
    <FormDialog title="Rename project" size="small" initialFocus={field} verb="Save" onSubmit={save} onClose={onClose}>
      <TextField ref={field} label="Name" value={typed} maxLength={PROJECT_NAME_LENGTH} problem={problem} onChange={setTyped} />
    </FormDialog>
  )
}
