import type { Project } from '../../src-shared/contract/projects.ts'
import type { ModelRef } from '../../src-shared/contract/settings.ts'
import { OptionalModel } from '../forms/models/OptionalModel.tsx'
import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { attempt } from '../state/attempt.ts'

interface ProjectModelProps {
  readonly model: Project['model']
  readonly onChange: (model: ModelRef | null) => Promise<unknown>
}

export function ProjectModel({ model: saved, onChange }: ProjectModelProps) {
  const [model, chooseModel] = useSavedChoice(saved, (wanted) => attempt(onChange(wanted)))
  return (
    <OptionalModel label="Model of this project" hideLabel none="As chosen in Settings" value={model} onChange={chooseModel} />
  )
}
