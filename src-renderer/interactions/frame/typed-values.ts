import { isObject } from '../../../src-shared/base/json.ts'
import type { RawValue, RawValues } from '../../../src-shared/forms/check-form.ts'

const NOTHING: RawValues = {}

function isRaw(value: unknown): value is RawValue {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (Array.isArray(value) && value.every((one) => typeof one === 'string'))
  )
}

/** The values of fields, as the host kept them. */
export function readValues(kept: unknown): RawValues {
  return isObject(kept)
    ? Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, RawValue] => isRaw(entry[1])))
    : NOTHING
}
