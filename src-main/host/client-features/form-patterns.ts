import type { PatternEngine } from '../../../src-shared/forms/check-form.ts'

/**
 * Compiles servers' patterns with an engine of linear time; a pattern that it does not support is not checked (ELIC-21). The engine loads
 * with the first form.
 */
export async function formPatterns(): Promise<PatternEngine> {
  const { RE2JS } = await import('re2js')
  return (pattern) => {
    try {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
      return (text) => compiled.test(text)
    } catch {
      return undefined
    }
  }
}
