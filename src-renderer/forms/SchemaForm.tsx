import { useEffect, useId, useRef } from 'react'
import type { RawValue, RawValues } from '../../src-shared/forms/check-form.ts'
import type { FormField } from '../../src-shared/forms/form-fields.ts'
import { visibleText } from '../ui/visible-text.ts'
import { SchemaField } from './SchemaField.tsx'
import type { FormCheckState } from './use-form-check.ts'
import './forms.css'

interface SchemaFormProps {
  /** For a submit button outside the form: its `form` attribute. */
  readonly id?: string
  readonly label: string
  readonly fields: readonly FormField[]
  readonly values: RawValues
  readonly onChange: (values: RawValues) => void
  /** From `useFormCheck` over the same fields and values. */
  readonly check: FormCheckState
}

/** A server's fields as inputs, without a submit button. The server's words are shown as text, never as markup. */
export function SchemaForm({ id, label, fields, values, onChange, check }: SchemaFormProps) {
  const prefix = useId()
  const summary = useRef<HTMLElement>(null)
  useEffect(() => {
    if (check.failures > 0) summary.current?.focus()
  }, [check.failures])
  const change = (name: string, raw: RawValue | undefined) => {
    const others = Object.entries(values).filter(([other]) => other !== name)
    // Entries, not assignment: a property may be named __proto__.
    onChange(Object.fromEntries(raw === undefined ? others : [...others, [name, raw]]))
  }
  // The summary is for a failed attempt; before that, each field shows its own problem.
  const wrong = (check.failures > 0 ? fields : []).flatMap((field, at) => {
    const error = check.errors.get(field.name)
    return error === undefined ? [] : [{ at, label: visibleText(field.label), error }]
  })
  return (
    <form id={id} className="column-4" aria-label={label} noValidate onSubmit={(event) => event.preventDefault()}>
      {wrong.length > 0 ? (
        <section className="form-summary" ref={summary} tabIndex={-1} aria-label="Errors">
          <p>{wrong.length === 1 ? '1 field needs attention' : `${wrong.length} fields need attention`}</p>
          <ul>
            {wrong.map((one) => (
              <li key={one.at}>
                <button type="button" className="form-link" onClick={() => focusField(`${prefix}-${one.at}`)}>
                  {one.label}: {one.error}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {fields.map((field, at) => (
        <div key={field.name} id={`${prefix}-${at}`}>
          <SchemaField
            field={field}
            raw={Object.hasOwn(values, field.name) ? values[field.name] : undefined}
            problem={check.errors.get(field.name)}
            onChange={(raw) => change(field.name, raw)}
          />
        </div>
      ))}
    </form>
  )
}

function focusField(id: string): void {
  document.getElementById(id)?.querySelector<HTMLElement>('input, select, textarea')?.focus()
}
