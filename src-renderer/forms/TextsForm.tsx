import { type FormEvent, useId, useState } from 'react'
import type { CompletionSource } from '../../src-shared/contract/attachments.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { ask } from '../state/ask.ts'
import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { SuggestedField } from './SuggestedField.tsx'
import './forms.css'

/** An argument of a prompt or a variable of a template. */
export interface TextsField {
  readonly name: string
  readonly label: string
  readonly description?: string | undefined
  readonly required?: boolean
}

export type Texts = Readonly<Record<string, string>>

interface TextsFormProps {
  readonly label: string
  readonly server: Pick<ServerRecord, 'id' | 'name'>
  /** The prompt or template of the fields, for which the server suggests values. */
  readonly of: CompletionSource
  readonly fields: readonly TextsField[]
  /** The text shown when there are no fields. */
  readonly none?: string
  /** The label of the button. */
  readonly action: string
  readonly busy?: boolean
  /** Called only when every required field is filled in. */
  readonly onSubmit: (values: Texts) => void
}

/** A prompt's arguments or a template's variables, with the server's suggestions for each. */
export function TextsForm({ label, server, of, fields, none, action, busy, onSubmit }: TextsFormProps) {
  const sent = useId()
  const [values, setValues] = useState<Texts>({})
  const [judged, setJudged] = useState(false)
  const missing = missingTexts(fields, values)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setJudged(missing.size > 0)
    if (missing.size === 0) onSubmit(filledTexts(fields, values))
  }
  return (
    <form className="column-4" aria-label={label} aria-describedby={sent} noValidate onSubmit={submit}>
      {fields.length > 0 ? (
        <p id={sent} className="meta">
          Sent to <VisibleText text={server.name} /> as you type, for suggestions.
        </p>
      ) : null}
      {fields.map(({ name, label, description, required }) => (
        <SuggestedField
          key={name}
          label={visibleText(label)}
          description={description}
          required={required}
          problem={judged && missing.has(name) ? 'Required' : undefined}
          value={values[name] ?? ''}
          onChange={(text) => setValues(withText(values, name, text))}
          suggest={(value, signal) => {
            const context = othersOf(fields, values, name)
            return ask('completion.complete', { serverId: server.id, of, argument: { name, value }, context }, signal)
          }}
        />
      ))}
      {fields.length === 0 && none ? <p className="soft">{none}</p> : null}
      <div>
        <Button variant="primary" type="submit" disabled={busy}>
          {action}
        </Button>
      </div>
    </form>
  )
}

export function missingTexts(fields: readonly TextsField[], values: Texts): ReadonlySet<string> {
  return new Set(fields.filter((field) => field.required && (values[field.name] ?? '') === '').map((field) => field.name))
}

/** The non-empty values of these fields. */
export function filledTexts(fields: readonly TextsField[], values: Texts): Texts {
  return Object.fromEntries(
    fields.flatMap(({ name }): [string, string][] => {
      const text = Object.hasOwn(values, name) ? values[name] : undefined
      return text === undefined || text === '' ? [] : [[name, text]]
    }),
  )
}

/** The non-empty values of the other fields, which a completion request carries as its context (COMP-15). */
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
