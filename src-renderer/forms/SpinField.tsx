import type { KeyboardEvent, ReactNode } from 'react'
import { FieldFrame } from '../ui/fields.tsx'

export interface SpinFieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly problem?: string | undefined
  /** As typed: a number input would swallow what is no number, and a wrong value could pass as an empty one. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly required?: boolean
}

/** A number that is kept as typed; arrow keys count. */
export function SpinField({ label, hint, problem, value, onChange, minimum, maximum, required }: SpinFieldProps) {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const next = (Number.isNaN(number) ? 0 : number) + by
    onChange(String(Math.min(maximum ?? next, Math.max(minimum ?? next, next))))
  }
  return (
    <FieldFrame label={label} hint={hint} problem={problem} required={required}>
      {(ids) => (
        <input
          {...ids}
          type="text"
          inputMode="decimal"
          role="spinbutton"
          aria-valuenow={Number.isNaN(number) ? undefined : number}
          aria-valuetext={value || undefined}
          aria-valuemin={minimum}
          aria-valuemax={maximum}
          autoComplete="off"
          className="ui-input"
          required={required}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={step}
        />
      )}
    </FieldFrame>
  )
}
