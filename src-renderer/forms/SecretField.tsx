import { type ReactNode, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { FieldFrame } from '../ui/fields.tsx'
import './forms.css'

export interface SecretFieldProps {
  readonly label: string
  readonly hideLabel?: boolean
  readonly hint?: ReactNode
  readonly problem?: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  readonly required?: boolean
  readonly disabled?: boolean
  /** Shows what is typed as it is: for values whose name does not sound secret. */
  readonly plain?: boolean
}

/**
 * One line of text that is covered while it is typed, with a toggle to look at it. It stays a text box, so that neither
 * the browser offers to save it as a password nor a screen reader loses its role.
 */
export function SecretField(props: SecretFieldProps) {
  const { label, hideLabel, hint, problem, value, onChange, placeholder, required, disabled, plain } = props
  const [revealed, setRevealed] = useState(false)
  const covered = !plain && !revealed
  return (
    <FieldFrame label={label} {...(hideLabel && { hideLabel })} hint={hint} problem={problem} required={required}>
      {(ids) => (
        <div className="form-secret">
          <input
            {...ids}
            type="text"
            className={covered ? 'ui-input ui-input-code form-covered' : 'ui-input ui-input-code'}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={value}
            placeholder={placeholder}
            required={required}
            disabled={disabled}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          {plain || value === '' ? null : (
            <Button size="small" variant="quiet" aria-pressed={revealed} onClick={() => setRevealed(!revealed)}>
              {revealed ? 'Hide' : 'Reveal'}
            </Button>
          )}
        </div>
      )}
    </FieldFrame>
  )
}
