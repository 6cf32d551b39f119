import { useCallback, useMemo, useState } from 'react'
import type { JsonValue } from '../../src-shared/base/json.ts'
import { checkForm, type RawValues } from '../../src-shared/forms/check-form.ts'
import type { FormField } from '../../src-shared/forms/form-fields.ts'
import { linearPatterns } from './pattern-engine.ts'

export interface FormCheckState {
  /** By field name; empty until the first attempt to send. */
  readonly errors: ReadonlyMap<string, string>
  /** Rises with every attempt that failed: the summary takes the focus. */
  readonly failures: number
  /** What is to be sent, or undefined when something is wrong, which then is shown. */
  readonly submit: () => Readonly<Record<string, JsonValue>> | undefined
}

const NO_ERRORS: ReadonlyMap<string, string> = new Map()

/** Judges a form when it is sent, and after a failed attempt with every change. */
export function useFormCheck(fields: readonly FormField[], values: RawValues): FormCheckState {
  const [failures, setFailures] = useState(0)
  const errors = useMemo(() => {
    if (failures === 0) return NO_ERRORS
    const check = checkForm(fields, values, linearPatterns)
    return check.ok ? NO_ERRORS : check.errors
  }, [failures, fields, values])
  const submit = useCallback(() => {
    const check = checkForm(fields, values, linearPatterns)
    if (check.ok) return check.content
    setFailures((count) => count + 1)
    return undefined
  }, [fields, values])
  return { errors, failures, submit }
}
