import type { Effort, ModelRef } from '../../../src-shared/contract/settings.ts'
import { useHost } from '../../state/host-store.ts'
import { modelEntry } from '../../state/models.ts'
import { Menu } from '../../ui/Menu.tsx'

const WORDS: Readonly<Record<Effort, string>> = {
  none: 'None',
  minimal: 'Minimal',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Extra high',
  max: 'Maximum',
}

interface EffortMenuProps {
  readonly model: ModelRef
  readonly disabled: boolean
  readonly onChange: (model: ModelRef) => void
}

/** Chooses how much the model thinks, if it lets one choose. */
export function EffortMenu({ model, disabled, onChange }: EffortMenuProps) {
  const efforts = useHost((mirror) => modelEntry(mirror.host.providers, model)?.efforts)
  if (!efforts?.length) return null
  const { provider, model: id, effort: wanted } = model
  const effort = wanted && efforts.includes(wanted) ? wanted : undefined
  const word = effort ? WORDS[effort] : 'Default'
  const choose = (chosen?: Effort) => onChange({ provider, model: id, ...(chosen && { effort: chosen }) })
  return (
    <Menu
      label={`Effort: ${word}`}
      disabled={disabled}
      items={[
        { label: 'Default', checked: effort === undefined, onSelect: () => choose() },
        ...efforts.map((one) => ({ label: WORDS[one], checked: effort === one, onSelect: () => choose(one) })),
      ]}
    >
      Effort: {word}
    </Menu>
  )
}
