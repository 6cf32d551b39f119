import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import { useHost } from '../../state/host-store.ts'
import { modelGroups, modelKey } from '../../state/models.ts'
import { Select } from '../../ui/fields/Select.tsx'

interface OptionalModelProps {
  readonly label: string
  readonly hideLabel?: boolean
  readonly hint?: string
  /** The label of the option for no model. */
  readonly none: string
  /** Leaves out the Demo model, which only repeats the first words of a message. */
  readonly real?: boolean
  readonly value: ModelRef | null
  readonly onChange: (model: ModelRef | null) => void
}

export function OptionalModel({ label, hideLabel = false, hint, none, real = false, value, onChange }: OptionalModelProps) {
  const providers = useHost((mirror) => mirror.host.providers)
  const offered = real ? providers.filter(({ kind }) => kind !== 'demo') : providers
  const groups = modelGroups(offered, value ?? undefined)
  const options = groups.flatMap((group) => group.options)
  return (
    <Select
      label={label}
      hideLabel={hideLabel}
      {...(hint === undefined ? {} : { hint })}
      options={[{ value: '', label: none }]}
      groups={groups}
      value={value ? modelKey(value) : ''}
      onChange={(key) => onChange(options.find((one) => one.value === key)?.model ?? null)}
    />
  )
}
