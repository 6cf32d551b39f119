import { objectIn } from '../../src-shared/base/parse-json.ts'
import type { ModelToolCall } from './model-provider.ts'

/** A finished tool call from the JSON that a model wrote: an object, nothing at all (no arguments), or broken and kept as it is. */
export function modelToolCall(id: string, name: string, written: string): ModelToolCall {
  if (written.trim() === '') return { id, name, arguments: {} }
  const args = objectIn(written)
  // The caller of the tool tells the model what was wrong.
  return args ? { id, name, arguments: args } : { id, name, broken: written }
}
