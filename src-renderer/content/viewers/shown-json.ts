import type { JsonValue } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import type { BoundedJson, BoundedText } from '../../../src-shared/contract/blobs.ts'

/** Undefined when it does not parse, for example because only its beginning was sent. */
export function parseShownJson(json: string): JsonValue | undefined {
  try {
    return parseJson(json) as JsonValue // JSON.parse gives nothing else
  } catch {
    return undefined
  }
}

/** The same text for views of plain text. */
export const jsonText = ({ json, whole }: BoundedJson): BoundedText => (whole ? { text: json, whole } : { text: json })
