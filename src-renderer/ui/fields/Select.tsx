import { FieldFrame, type FieldProps } from './FieldFrame.tsx'

export interface Option<T extends string> {
  readonly value: T
  readonly label: string
}

interface SelectProps<T extends string> extends FieldProps {
  readonly options?: readonly Option<T>[]
  /** Shown after `options`. */
  readonly groups?: readonly { readonly label: string; readonly options: readonly Option<T>[] }[]
  readonly value: T | ''
  readonly onChange: (value: T) => void
  readonly placeholder?: string
  readonly disabled?: boolean
}

export function Select<T extends string>(props: SelectProps<T>) {
  const { options = [], groups = [], value, onChange, placeholder, disabled, ...frame } = props
  const choose = (chosen: string) => {
    const all = [...options, ...groups.flatMap((group) => group.options)]
    const option = all.find((candidate) => candidate.value === chosen)
    if (option) onChange(option.value)
  }
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <select
          {...control}
          className="ui-input"
          value={value}
          disabled={disabled}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {placeholder !== undefined ? (
            <option value="" disabled>
              {placeholder}
            </option>
          ) : null}
          {options.map(renderOption)}
          {groups.map((group) => (
            <optgroup label={group.label} key={group.label}>
              {group.options.map(renderOption)}
            </optgroup>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}

function renderOption({ value, label }: Option<string>) {
  return (
    <option value={value} key={value}>
      {label}
    </option>
  )
}
