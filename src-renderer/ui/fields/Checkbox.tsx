import { type ReactNode, useId } from 'react'

export interface CheckboxProps {
  readonly label: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** A sentence below the label. */
  readonly hint?: ReactNode
  readonly disabled?: boolean
  readonly required?: boolean
  readonly problem?: string | undefined
  /** `switch` for what takes effect at once. */
  readonly role?: 'switch'
}

export function Checkbox({ label, checked, onChange, hint, problem, ...rest }: CheckboxProps) {
  const id = useId()
  return (
    <div className={rest.role ? 'ui-check ui-switch' : 'ui-check'}>
      <input
        {...rest}
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint || problem ? `${id}-about` : undefined}
        aria-invalid={problem ? true : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div className="ui-check-text">
        <label htmlFor={id}>{label}</label>
        {hint || problem ? (
          <div id={`${id}-about`}>
            {hint ? <div className="meta">{hint}</div> : null}
            {problem ? <div className="ui-field-problem">{problem}</div> : null}
          </div>
        ) : null}
      </div>
    </div>
  )
}

/** Takes effect at once; role switch. */
export function Switch(props: Omit<CheckboxProps, 'role'>) {
  return <Checkbox {...props} role="switch" />
}
