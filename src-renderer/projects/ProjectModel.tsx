import type { Project } from '../../src-shared/contract/projects.ts'
import type { ModelRef } from '../../src-shared/contract/settings.ts'
import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { modelChoices, modelKey } from '../state/models.ts'
import { Select } from '../ui/fields/Select.tsx'

interface ProjectModelProps {
  readonly model: Project['model']
  readonly onChange: (model: ModelRef | null) => Promise<unknown>
}

export function ProjectModel({ model: saved, onChange }: ProjectModelProps) {
  const providers = useHost((mirror) => mirror.host.providers)
  const [model, chooseModel] = useSavedChoice(saved, (wanted) => attempt(onChange(wanted)))
  const groups = modelChoices(providers, model ?? undefined)
  const choose = (key: string) => {
    const option = groups.flatMap((group) => group.options).find((one) => one.value === key)
    chooseModel(option?.model ?? null)
  }
  return (
    <Select
      label="Model of this project"
      hideLabel
      options={[{ value: '', label: 'As chosen in Settings' }]}
      groups={groups}
      value={model ? modelKey(model) : ''}
      onChange={choose}
    />
  )
}
