import type { KeyboardEvent } from 'react'
import type { FieldProps } from './FieldFrame.tsx'
import { TextField } from './TextField.tsx'

interface SpinFieldProps extends FieldProps {
  /** Text, because a number input drops what is not a number, and an invalid value would look empty. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
}

/** A number field whose arrow keys count. */
export function SpinField({ minimum, maximum, ...field }: SpinFieldProps) {
  const { value, onChange } = field
  const number = value.trim() === '' ? Number.NaN : Number(value)
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const next = (Number.isNaN(number) ? 0 : number) + by
    onChange(String(Math.min(maximum ?? next, Math.max(minimum ?? next, next))))
  }
  return (
    <TextField
      {...field}
      inputMode="decimal"
      role="spinbutton"
      aria-valuenow={Number.isNaN(number) ? undefined : number}
      aria-valuetext={value || undefined}
      aria-valuemin={minimum}
      aria-valuemax={maximum}
      onKeyDown={step}
    />
  )
}
