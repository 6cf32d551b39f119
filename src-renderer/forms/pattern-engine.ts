import { RE2JS } from 're2js'
import type { PatternEngine } from '../../src-shared/forms/check-form.ts'

const MAX_KEPT = 100
const compiled = new Map<string, ((text: string) => boolean) | undefined>()

/** Searches for a server's pattern in linear time; undefined when the engine cannot read the pattern. */
export const linearPatterns: PatternEngine = (pattern) => {
  if (!compiled.has(pattern)) {
    if (compiled.size >= MAX_KEPT) compiled.clear()
    compiled.set(pattern, compile(pattern))
  }
  return compiled.get(pattern)
}

function compile(pattern: string): ((text: string) => boolean) | undefined {
  try {
    const expression = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return (text) => expression.matcher(text).find()
  } catch {
    return undefined
  }
}
