import type { FormEvent } from 'react'
import type { Completions } from '../../src-shared/contract/attachments.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { SuggestedField } from './SuggestedField.tsx'
import './forms.css'

/** A field whose value is a text: an argument of a prompt, a variable of a template. */
export interface TextsField {
  readonly name: string
  readonly label: string
  readonly description?: string | undefined
  readonly required?: boolean
}

export type Texts = Readonly<Record<string, string>>

export interface TextsFormProps {
  /** For a submit button outside the form: its `form` attribute. */
  readonly id: string
  /** Names the form. */
  readonly label: string
  readonly fields: readonly TextsField[]
  readonly values: Texts
  readonly onChange: (values: Texts) => void
  /** Fields to say "required" of. */
  readonly missing: ReadonlySet<string>
  /** `context` are the other fields of this form that hold something, nothing else (COMP-15). */
  readonly complete: (field: string, value: string, context: Texts, signal: AbortSignal) => Promise<Completions>
  /** Whom that asks, by name. */
  readonly server: string
  readonly onSubmit: () => void
}

/** A prompt's arguments or a template's variables, with the server's suggestions for each. */
export function TextsForm({ id, label, fields, values, onChange, missing, complete, server, onSubmit }: TextsFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form id={id} className="form" aria-label={label} aria-describedby={`${id}-sent`} noValidate onSubmit={submit}>
      {fields.length > 0 ? (
        <p id={`${id}-sent`} className="meta">
          What you type here is sent to <VisibleText text={server} /> for suggestions.
        </p>
      ) : null}
      {fields.map((field) => (
        <SuggestedField
          key={field.name}
          label={visibleText(field.label)}
          {...(field.description ? { hint: field.description } : {})}
          {...(field.required === undefined ? {} : { required: field.required })}
          problem={missing.has(field.name) ? 'This one is required.' : undefined}
          value={values[field.name] ?? ''}
          onChange={(text) => onChange(withText(values, field.name, text))}
          ask={(value, signal) => complete(field.name, value, othersOf(fields, values, field.name), signal)}
        />
      ))}
    </form>
  )
}

/** Which required fields are empty. */
export function missingTexts(fields: readonly TextsField[], values: Texts): ReadonlySet<string> {
  return new Set(fields.filter((field) => field.required && (values[field.name] ?? '') === '').map((field) => field.name))
}

/** What is filled in of this form's own fields. */
export function filledTexts(fields: readonly TextsField[], values: Texts): Texts {
  return Object.fromEntries(
    fields.flatMap(({ name }): [string, string][] => {
      const text = Object.hasOwn(values, name) ? values[name] : undefined
      return text === undefined || text === '' ? [] : [[name, text]]
    }),
  )
}

export function othersOf(fields: readonly TextsField[], values: Texts, name: string): Texts {
  return filledTexts(
    fields.filter((field) => field.name !== name),
    values,
  )
}

/** Entries, not assignment: a field may be named __proto__. */
function withText(values: Texts, name: string, text: string): Texts {
  return Object.fromEntries([...Object.entries(values).filter(([other]) => other !== name), [name, text]])
}
