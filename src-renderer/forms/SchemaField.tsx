import { useId } from 'react'
import { assertNever } from '../../src-shared/base/json.ts'
import type { RawValue } from '../../src-shared/forms/check-form.ts'
import type { ChoiceField, ChoicesField, FormField, NumberField, TextFormField } from '../../src-shared/forms/form-fields.ts'
import { FORMAT_HINTS } from '../../src-shared/forms/text-formats.ts'
import { Checkbox } from '../ui/fields/Checkbox.tsx'
import { Required } from '../ui/fields/FieldFrame.tsx'
import { SecretField } from '../ui/fields/SecretField.tsx'
import { Select } from '../ui/fields/Select.tsx'
import { SpinField } from '../ui/fields/SpinField.tsx'
import { TextArea } from '../ui/fields/TextArea.tsx'
import { TextField } from '../ui/fields/TextField.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'

interface SchemaFieldProps<F extends FormField = FormField> {
  readonly field: F
  /** Undefined while untouched: then its default shows. */
  readonly raw: RawValue | undefined
  readonly problem: string | undefined
  readonly onChange: (raw: RawValue | undefined) => void
}

/** One field of a schema as the input that suits it. */
export function SchemaField(props: SchemaFieldProps) {
  const { field, raw, problem, onChange } = props
  const label = visibleText(field.label)
  switch (field.kind) {
    case 'text':
      return <TextInput {...props} field={field} />
    case 'number':
      return (
        <SpinField
          label={label}
          hint={hintOf(field, rangeHint(field))}
          problem={problem}
          required={field.required}
          minimum={field.minimum}
          maximum={field.maximum}
          value={textOf(raw, field.default)}
          onChange={onChange}
        />
      )
    case 'boolean':
      return (
        <Checkbox
          label={<VisibleText text={field.label} />}
          hint={hintOf(field)}
          problem={problem}
          checked={typeof raw === 'boolean' ? raw : (field.default ?? false)}
          onChange={onChange}
        />
      )
    case 'choice':
      return <ChoiceInput {...props} field={field} />
    case 'choices':
      return <ChoicesInput {...props} field={field} />
    case 'json':
      return (
        <TextArea
          code
          label={label}
          hint={hintOf(field, field.types.length > 0 ? `JSON: ${field.types.join(' or ')}` : 'JSON')}
          problem={problem}
          required={field.required}
          rows={4}
          value={typeof raw === 'string' ? raw : field.default === undefined ? '' : JSON.stringify(field.default, null, 2)}
          onChange={onChange}
        />
      )
    default:
      return assertNever(field)
  }
}

function TextInput({ field, raw, problem, onChange }: SchemaFieldProps<TextFormField>) {
  const value = textOf(raw, field.default)
  const label = visibleText(field.label)
  const hint = hintOf(field, lengthHint(field), field.format && `${FORMAT_HINTS[field.format]}.`)
  if (field.secret) {
    return <SecretField label={label} hint={hint} problem={problem} required={field.required} value={value} onChange={onChange} />
  }
  const long = field.format === undefined && (value.length > 80 || value.includes('\n') || (field.maxLength ?? 0) > 200)
  return long ? (
    <TextArea label={label} hint={hint} problem={problem} required={field.required} rows={4} value={value} onChange={onChange} />
  ) : (
    <TextField
      label={label}
      hint={hint}
      problem={problem}
      required={field.required}
      dir="auto"
      inputMode={field.format === 'email' ? 'email' : field.format === 'uri' ? 'url' : 'text'}
      value={value}
      onChange={onChange}
    />
  )
}

/** Options are addressed by their index, since a server may offer the empty string. */
function ChoiceInput({ field, raw, problem, onChange }: SchemaFieldProps<ChoiceField>) {
  const chosen = field.options.findIndex((option) => option.value === (raw ?? field.default))
  const options = field.options.map((option, at) => ({ value: String(at), label: visibleText(option.label) }))
  const canLeaveOut = !field.required && field.default === undefined
  return (
    <Select
      label={visibleText(field.label)}
      hint={hintOf(field)}
      problem={problem}
      required={field.required}
      options={canLeaveOut ? [{ value: 'none', label: 'No answer' }, ...options] : options}
      {...(!canLeaveOut && { placeholder: 'Choose …' })}
      value={chosen >= 0 ? String(chosen) : canLeaveOut ? 'none' : ''}
      onChange={(place) => onChange(field.options[Number(place)]?.value)}
    />
  )
}

function ChoicesInput({ field, raw, problem, onChange }: SchemaFieldProps<ChoicesField>) {
  const id = useId()
  const chosen = new Set(Array.isArray(raw) ? raw : field.default)
  const toggle = (value: string, on: boolean) => {
    const next = field.options.map((option) => option.value).filter((one) => (one === value ? on : chosen.has(one)))
    onChange(next)
  }
  return (
    <fieldset className="ui-choices" aria-describedby={`${id}-about`} aria-invalid={problem ? true : undefined}>
      <legend className="ui-field-label">
        {visibleText(field.label)}
        {field.required ? <Required /> : null}
      </legend>
      <div id={`${id}-about`}>
        <div className="meta">{hintOf(field, choicesHint(field))}</div>
        {problem ? <div className="ui-field-problem">{problem}</div> : null}
      </div>
      {field.options.map((option) => (
        <Checkbox
          key={option.value}
          label={<VisibleText text={option.label} />}
          checked={chosen.has(option.value)}
          onChange={(on) => toggle(option.value, on)}
        />
      ))}
    </fieldset>
  )
}

function hintOf(field: FormField, ...more: readonly (string | undefined)[]) {
  const sentences = more.filter((one) => one)
  if (field.description === undefined) return sentences.length > 0 ? sentences.join(' ') : undefined
  return (
    <>
      <VisibleText as="span" className="form-description" text={field.description} />
      {sentences.length > 0 ? <span> {sentences.join(' ')}</span> : null}
    </>
  )
}

function rangeHint({ integer, minimum, maximum }: NumberField): string | undefined {
  const kind = integer ? 'Whole number' : 'Number'
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}.`
  if (minimum !== undefined) return `${kind}, ${minimum} or more.`
  if (maximum !== undefined) return `${kind}, ${maximum} or less.`
  return integer ? 'Whole number.' : undefined
}

function lengthHint({ minLength = 0, maxLength }: TextFormField): string | undefined {
  if (maxLength !== undefined)
    return minLength > 1 ? `${minLength} to ${maxLength} characters.` : `At most ${maxLength} characters.`
  return minLength > 1 ? `At least ${minLength} characters.` : undefined
}

function choicesHint({ minItems = 0, maxItems }: ChoicesField): string | undefined {
  if (maxItems !== undefined) return minItems > 0 ? `Choose ${minItems} to ${maxItems}.` : `Choose at most ${maxItems}.`
  return minItems > 0 ? `Choose at least ${minItems}.` : undefined
}

function textOf(raw: RawValue | undefined, fallback: string | number | undefined): string {
  return typeof raw === 'string' ? raw : String(fallback ?? '')
}
