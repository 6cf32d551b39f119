import { useId } from 'react'
import { POWERS, type Power } from '../../src-shared/contract/consent.ts'
import { Checkbox } from '../ui/fields/Checkbox.tsx'
import { inOrder, POWER_LABELS } from './power-labels.ts'
import './text/content.css'

interface PowerTicksProps {
  readonly label: string
  readonly hint?: string
  readonly powers: readonly Power[]
  readonly onChange: (powers: readonly Power[]) => void
}

/** Checkboxes for the powers of a tool. */
export function PowerTicks({ label, hint, powers, onChange }: PowerTicksProps) {
  const id = useId()
  return (
    <fieldset className="content-powers" aria-describedby={hint ? id : undefined}>
      <legend className="ui-field-label">{label}</legend>
      {hint ? (
        <div className="meta" id={id}>
          {hint}
        </div>
      ) : null}
      {POWERS.map((power) => (
        <Checkbox
          key={power}
          label={POWER_LABELS[power]}
          checked={powers.includes(power)}
          onChange={(on) => onChange(inOrder(on ? [...powers, power] : powers.filter((one) => one !== power)))}
        />
      ))}
    </fieldset>
  )
}
