import { useId } from 'react'

interface RadioGroupProps<T extends string> {
  readonly label: string
  readonly options: readonly { readonly value: T; readonly label: string; readonly hint?: string }[]
  readonly value: T
  readonly onChange: (value: T) => void
}

export function RadioGroup<T extends string>({ label, options, value, onChange }: RadioGroupProps<T>) {
  const id = useId()
  return (
    <div className="ui-choices" role="radiogroup" aria-labelledby={`${id}-label`}>
      <div className="ui-field-label" id={`${id}-label`}>
        {label}
      </div>
      {options.map((option, index) => (
        <div className="ui-check" key={option.value}>
          <input
            type="radio"
            name={id}
            id={`${id}-${index}`}
            checked={option.value === value}
            aria-describedby={option.hint ? `${id}-${index}-hint` : undefined}
            onChange={() => onChange(option.value)}
          />
          <div className="column-0">
            <label htmlFor={`${id}-${index}`}>{option.label}</label>
            {option.hint ? (
              <div className="meta" id={`${id}-${index}-hint`}>
                {option.hint}
              </div>
            ) : null}
          </div>
        </div>
      ))}
    </div>
  )
}
