import { useCallback, useEffect, useMemo, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { JsonValue } from '../../src-shared/base/json.ts'
import { checkForm, type RawValues } from '../../src-shared/forms/check-form.ts'
import type { FormField } from '../../src-shared/forms/form-fields.ts'
import { linearPatterns } from './pattern-engine.ts'

export interface FormCheckState {
  /** By field name. Before the first attempt to send, only those of fields that were edited and then left alone for a moment. */
  readonly errors: ReadonlyMap<string, string>
  /** Rises with each failed attempt, so that the summary takes the focus. */
  readonly failures: number
  /** Returns the values to send, or undefined after showing the problems. */
  readonly submit: () => Readonly<Record<string, JsonValue>> | undefined
}

const NO_ERRORS: ReadonlyMap<string, string> = new Map()
/** Milliseconds without a change before a field is checked, so that nobody is corrected in the middle of a word. */
const PAUSE = 700

/** Checks a form field by field at each pause, whole when it is sent, and after a failed attempt at every change. */
export function useFormCheck(fields: readonly FormField[], values: RawValues): FormCheckState {
  const [failures, setFailures] = useState(0)
  const [settled, setSettled] = useState<RawValues>({})
  useEffect(() => systemClock.after(PAUSE, () => setSettled(values)), [values])
  const errors = useMemo(() => {
    const check = checkForm(fields, values, linearPatterns)
    if (check.ok) return NO_ERRORS
    if (failures > 0) return check.errors
    const isSettled = (name: string) => Object.hasOwn(settled, name) && settled[name] === values[name] && values[name] !== ''
    return new Map([...check.errors].filter(([name]) => isSettled(name)))
  }, [failures, fields, values, settled])
  const submit = useCallback(() => {
    const check = checkForm(fields, values, linearPatterns)
    if (check.ok) return check.content
    setFailures((count) => count + 1)
    return undefined
  }, [fields, values])
  return { errors, failures, submit }
}
