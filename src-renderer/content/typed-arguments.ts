import { isObject, type JsonObject } from '../../src-shared/base/json.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'

export const NO_ARGUMENTS = 'Enter one JSON object, like {"name": "value"}'

/** Arguments that someone typed as JSON; undefined for what is no object. */
export function typedArguments(text: string): JsonObject | undefined {
  try {
    const value: unknown = parseJson(text.trim() || '{}')
    // JSON.parse returns JSON.
    return isObject(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
