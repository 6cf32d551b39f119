import { type ReactNode, useId } from 'react'

interface CheckboxProps {
  readonly label: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly hint?: ReactNode
  readonly disabled?: boolean
  readonly required?: boolean
  readonly problem?: string | undefined
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
      <div className="column-0">
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

/** For settings that take effect at once. */
export function Switch(props: Omit<CheckboxProps, 'role'>) {
  return <Checkbox {...props} role="switch" />
}
