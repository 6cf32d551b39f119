import { isObject, type JsonObject } from '../../src-shared/base/json.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'

export const NO_ARGUMENTS = 'Enter one JSON object, like {"name": "value"}'

/** Parses typed arguments; undefined unless they are a JSON object. */
export function typedArguments(text: string): JsonObject | undefined {
  try {
    const value: unknown = parseJson(text.trim() || '{}')
    return isObject(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
