import { useCallback, useEffect, useMemo, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { JsonValue } from '../../src-shared/base/json.ts'
import { checkForm, type RawValues } from '../../src-shared/forms/check-form.ts'
import type { FormField } from '../../src-shared/forms/form-fields.ts'
import { linearPatterns } from './pattern-engine.ts'

export interface FormCheckState {
  /** By field name: before the first attempt to send only what was typed and left as it is for a moment. */
  readonly errors: ReadonlyMap<string, string>
  /** Rises with every attempt that failed: the summary takes the focus. */
  readonly failures: number
  /** The values to send, or undefined when one has a problem, which is then shown. */
  readonly submit: () => Readonly<Record<string, JsonValue>> | undefined
}

const NO_ERRORS: ReadonlyMap<string, string> = new Map()
/** Milliseconds without a change until what was typed is judged: nobody is corrected in the middle of a word. */
const PAUSE = 700

/** Judges a form while it is filled in, field by field at each pause, and when it is sent; after a failed attempt with every change. */
export function useFormCheck(fields: readonly FormField[], values: RawValues): FormCheckState {
  const [failures, setFailures] = useState(0)
  const [settled, setSettled] = useState<RawValues>({})
  useEffect(() => systemClock.after(PAUSE, () => setSettled(values)), [values])
  const errors = useMemo(() => {
    const check = checkForm(fields, values, linearPatterns)
    if (check.ok) return NO_ERRORS
    if (failures > 0) return check.errors
    const typed = (name: string) => Object.hasOwn(settled, name) && settled[name] === values[name] && values[name] !== ''
    return new Map([...check.errors].filter(([name]) => typed(name)))
  }, [failures, fields, values, settled])
  const submit = useCallback(() => {
    const check = checkForm(fields, values, linearPatterns)
    if (check.ok) return check.content
    setFailures((count) => count + 1)
    return undefined
  }, [fields, values])
  return { errors, failures, submit }
}
