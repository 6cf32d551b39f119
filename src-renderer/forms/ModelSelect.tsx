import type { ModelRef } from '../../src-shared/contract/settings.ts'
import { useHost } from '../state/host-store.ts'
import { modelGroups, modelKey } from '../state/models.ts'
import type { FieldProps } from '../ui/fields/FieldFrame.tsx'
import { Select } from '../ui/fields/Select.tsx'

export interface ModelSelectProps extends FieldProps {
  readonly value: ModelRef
  readonly onChange: (model: ModelRef) => void
  readonly disabled?: boolean
}

/** Chooses among the models of every provider. */
export function ModelSelect({ value, onChange, ...field }: ModelSelectProps) {
  const providers = useHost((mirror) => mirror.host.providers)
  const groups = modelGroups(providers, value)
  const choose = (key: string) => {
    const option = groups.flatMap((group) => group.options).find((one) => one.value === key)
    if (option) onChange(option.model)
  }
  return <Select {...field} groups={groups} value={modelKey(value)} onChange={choose} />
}
