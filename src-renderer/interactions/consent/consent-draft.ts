import { isObject } from '../../../src-shared/base/json.ts'
import type { ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { RawValues } from '../../../src-shared/forms/check-form.ts'
import { readValues } from '../frame/typed-values.ts'
import { readUnticked } from '../frame/use-draft.ts'

/** JSON, or the values of the form. */
export type TypedArguments = string | RawValues

export interface ConsentDraft {
  readonly unticked: readonly ToolCallId[]
  /** The changed arguments of the only call. */
  readonly typed?: TypedArguments
}

/** The ticks and the changed arguments, as the host kept them. */
export function readConsentDraft(kept: unknown): ConsentDraft {
  const { unticked, typed } = isObject(kept) ? kept : {}
  return {
    unticked: readUnticked(unticked),
    ...(typeof typed === 'string' ? { typed } : isObject(typed) && { typed: readValues(typed) }),
  }
}
