import { useState } from 'react'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { Select } from '../../ui/fields/Select.tsx'
import { visibleText } from '../../ui/visible-text.ts'

export interface ProjectDialogProps {
  readonly heads: readonly ConversationHead[]
  readonly onClose: () => void
}

/** Moves conversations into or out of a project. */
export function ProjectDialog({ heads, onClose }: ProjectDialogProps) {
  const projects = useHost((mirror) => mirror.host.projects)
  const [chosen, setChosen] = useState<string>(heads[0]?.project ?? '')
  const move = async () => {
    const project = projects.find(({ id }) => id === chosen)?.id ?? null
    for (const { id } of heads) await ask('conversation.setProject', { id, project })
  }
  return (
    <FormDialog title="Move to project" size="small" verb="Move" onSubmit={move} onClose={onClose}>
      <Select
        label="Project"
        options={[{ value: '', label: 'None' }, ...projects.map(({ id, name }) => ({ value: id, label: visibleText(name) }))]}
        value={chosen}
        onChange={setChosen}
      />
    </FormDialog>
  )
}
