import { type ReactNode, useId } from 'react'

export interface FieldProps {
  readonly label: string
  /** Screen readers still read the label. */
  readonly hideLabel?: boolean | undefined
  readonly hint?: ReactNode
  /** Screen readers read it with the field. */
  readonly problem?: string | undefined
  readonly required?: boolean | undefined
}

interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly required: boolean | undefined
}

interface FieldFrameProps extends FieldProps {
  readonly children: (control: ControlProps) => ReactNode
}

/** Label, hint and problem around any control. */
export function FieldFrame({ label, hideLabel, hint, problem, required, children }: FieldFrameProps) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ')
  return (
    <div className="ui-field column-1">
      <label className={hideLabel ? 'unseen' : 'ui-field-label'} htmlFor={id}>
        {label}
        {required && !hideLabel ? <Required /> : null}
      </label>
      {hint ? (
        <div className="meta" id={`${id}-hint`}>
          {hint}
        </div>
      ) : null}
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': problem ? true : undefined, required })}
      {problem ? (
        <div className="ui-field-problem" id={`${id}-problem`}>
          {problem}
        </div>
      ) : null}
    </div>
  )
}

/** Only shown: the control tells screen readers itself. */
export function Required() {
  return (
    <span className="ui-field-required soft" aria-hidden>
      {' '}
      (required)
    </span>
  )
}
