import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { FieldFrame, type FieldProps } from './FieldFrame.tsx'

type InputAttributes = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'style' | 'onChange' | 'value' | 'required'>

export interface TextFieldProps extends FieldProps, InputAttributes {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly code?: boolean
  /** Shows dots. The value stays text for assistive technology, and browsers do not offer to save it. */
  readonly covered?: boolean
  /** A control in the same line; null reserves its place. */
  readonly beside?: ReactNode
  readonly ref?: Ref<HTMLInputElement> | undefined
}

/** `type` may be text, search, url, email, date or datetime-local. */
export function TextField(props: TextFieldProps) {
  const { label, hideLabel, hint, problem, required, code, covered, beside, value, onChange, ...rest } = props
  const look = `ui-input${code ? ' code' : ''}${covered ? ' ui-input-covered' : ''}`
  return (
    <FieldFrame label={label} hideLabel={hideLabel} hint={hint} problem={problem} required={required}>
      {(control) => {
        const input = (
          <input
            type="text"
            autoComplete="off"
            spellCheck={!code}
            {...rest}
            {...control}
            className={look}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )
        if (beside === undefined) return input
        return (
          <div className="row">
            {input}
            {beside}
          </div>
        )
      }}
    </FieldFrame>
  )
}
