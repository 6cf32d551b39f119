import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react'

interface FieldProps {
  /** The accessible name. */
  readonly label: string
  /** The label is read but not shown. */
  readonly hideLabel?: boolean
  /** A sentence below the label. */
  readonly hint?: ReactNode
  /** What is wrong with the value; announced with the field. */
  readonly problem?: string | undefined
  /** Monospaced. */
  readonly code?: boolean
}

interface ControlIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldFrameProps extends FieldProps {
  readonly required?: boolean | undefined
  readonly children: (ids: ControlIds) => ReactNode
}

/** Label, hint and problem around any control. */
export function FieldFrame({ label, hideLabel, hint, problem, required, children }: FieldFrameProps) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ')
  return (
    <div className="ui-field">
      <label className={hideLabel ? 'unseen' : 'ui-field-label'} htmlFor={id}>
        {label}
        {required && !hideLabel ? (
          <span className="ui-field-required soft" aria-hidden>
            {' '}
            (required)
          </span>
        ) : null}
      </label>
      {hint ? (
        <div className="meta" id={`${id}-hint`}>
          {hint}
        </div>
      ) : null}
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': problem ? true : undefined })}
      {problem ? (
        <div className="ui-field-problem" id={`${id}-problem`}>
          {problem}
        </div>
      ) : null}
    </div>
  )
}

type InputAttributes = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'style' | 'onChange' | 'value'>

export interface TextFieldProps extends FieldProps, InputAttributes {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly ref?: Ref<HTMLInputElement>
}

/** One line of text; `type` may be text, password, search, url, email, date or datetime-local. */
export function TextField({ label, hideLabel, hint, problem, code, value, onChange, ...rest }: TextFieldProps) {
  return (
    <FieldFrame {...frame(label, hideLabel, hint, problem)} required={rest.required}>
      {(ids) => (
        <input
          type="text"
          autoComplete="off"
          spellCheck={!code}
          {...rest}
          {...ids}
          className={code ? 'ui-input ui-input-code' : 'ui-input'}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  )
}

export interface TextAreaProps
  extends FieldProps,
    Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'style' | 'onChange' | 'value'> {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly ref?: Ref<HTMLTextAreaElement>
}

export function TextArea({ label, hideLabel, hint, problem, code, value, onChange, ...rest }: TextAreaProps) {
  return (
    <FieldFrame {...frame(label, hideLabel, hint, problem)} required={rest.required}>
      {(ids) => (
        <textarea
          spellCheck={!code}
          {...rest}
          {...ids}
          className={code ? 'ui-input ui-input-code' : 'ui-input'}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  )
}

export interface NumberFieldProps extends FieldProps, InputAttributes {
  /** undefined while empty or not a number. */
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
}

export function NumberField({ label, hideLabel, hint, problem, value, onChange, ...rest }: NumberFieldProps) {
  return (
    <FieldFrame {...frame(label, hideLabel, hint, problem)} required={rest.required}>
      {(ids) => (
        <input
          {...rest}
          {...ids}
          type="number"
          className="ui-input"
          value={value ?? ''}
          onChange={(event) => {
            const number = event.currentTarget.valueAsNumber
            onChange(Number.isNaN(number) ? undefined : number)
          }}
        />
      )}
    </FieldFrame>
  )
}

export interface CheckboxProps {
  readonly label: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** A sentence below the label. */
  readonly hint?: ReactNode
  readonly disabled?: boolean
  readonly required?: boolean
  readonly problem?: string | undefined
}

export function Checkbox(props: CheckboxProps) {
  return <Check {...props} look="ui-check" />
}

/** Takes effect at once; role switch. */
export function Switch(props: CheckboxProps) {
  return <Check {...props} look="ui-check ui-switch" role="switch" />
}

function Check({ label, checked, onChange, hint, problem, look, ...rest }: CheckboxProps & { look: string; role?: 'switch' }) {
  const id = useId()
  return (
    <div className={look}>
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

export interface Option<T extends string> {
  readonly value: T
  readonly label: string
  readonly hint?: string
  readonly disabled?: boolean
}

export interface RadioGroupProps<T extends string> {
  readonly label: string
  readonly options: readonly Option<T>[]
  readonly value: T | undefined
  readonly onChange: (value: T) => void
  readonly required?: boolean
  readonly problem?: string | undefined
}

export function RadioGroup<T extends string>({ label, options, value, onChange, required, problem }: RadioGroupProps<T>) {
  const id = useId()
  return (
    <div
      className="ui-choices"
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-required={required}
      aria-describedby={problem ? `${id}-problem` : undefined}
    >
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
            disabled={option.disabled}
            aria-describedby={option.hint ? `${id}-${index}-hint` : undefined}
            onChange={() => onChange(option.value)}
          />
          <div className="ui-check-text">
            <label htmlFor={`${id}-${index}`}>{option.label}</label>
            {option.hint ? (
              <div className="meta" id={`${id}-${index}-hint`}>
                {option.hint}
              </div>
            ) : null}
          </div>
        </div>
      ))}
      {problem ? (
        <div className="ui-field-problem" id={`${id}-problem`}>
          {problem}
        </div>
      ) : null}
    </div>
  )
}

export interface OptionGroup<T extends string> {
  readonly label: string
  readonly options: readonly Option<T>[]
}

export interface SelectProps<T extends string> extends FieldProps {
  readonly options?: readonly Option<T>[]
  /** Options under headings; shown after `options`. */
  readonly groups?: readonly OptionGroup<T>[]
  readonly value: T | ''
  readonly onChange: (value: T) => void
  /** Shown as the empty choice. */
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly required?: boolean
}

export function Select<T extends string>(props: SelectProps<T>) {
  const { label, hideLabel, hint, problem, options = [], groups = [], value, onChange, placeholder, disabled, required } = props
  const choose = (chosen: string) => {
    const all = [...options, ...groups.flatMap((group) => group.options)]
    const option = all.find((candidate) => candidate.value === chosen)
    if (option) onChange(option.value)
  }
  return (
    <FieldFrame {...frame(label, hideLabel, hint, problem)} required={required}>
      {(ids) => (
        <select
          {...ids}
          className="ui-input"
          value={value}
          disabled={disabled}
          required={required}
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

function renderOption<T extends string>(option: Option<T>) {
  return (
    <option value={option.value} key={option.value} disabled={option.disabled}>
      {option.label}
    </option>
  )
}

/** Drops what is absent, as exact optional properties want it. */
function frame(label: string, hideLabel: boolean | undefined, hint: ReactNode, problem: string | undefined): FieldProps {
  return { label, problem, hint, ...(hideLabel === undefined ? {} : { hideLabel }) }
}
