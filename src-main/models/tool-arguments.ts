import { objectIn } from '../../src-shared/base/parse-json.ts'
import type { ModelToolCall } from './model-provider.ts'

/** A tool call from the text of a model: a JSON object, nothing (no arguments), or broken text. */
export function modelToolCall(id: string, name: string, written: string): ModelToolCall {
  if (written.trim() === '') return { id, name, arguments: {} }
  const args = objectIn(written)
  // The caller of the tool reports broken text to the model.
  return args ? { id, name, arguments: args } : { id, name, broken: written }
}
