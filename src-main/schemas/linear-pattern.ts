import type { RE2JS } from 're2js'

/** The part of a regular expression that ajv needs. `toString` is its identity: ajv shares two patterns that print alike. */
interface Pattern {
  test(text: string): boolean
  toString(): string
}

/** As ajv's option `code.regExp` wants it: a function with the text that standalone code would use. */
export type PatternEngine = ((pattern: string, flags: string) => Pattern) & { code: string }

/**
 * Patterns of a server run in an engine that takes linear time, whatever the pattern (TOOL-18). What it does not know (look-ahead,
 * back-references) matches everything: a check is skipped rather than a valid value refused.
 */
export function patternEngine(compile: (pattern: string) => RE2JS): PatternEngine {
  const engine = (pattern: string): Pattern => {
    const compiled = tryCompile(compile, pattern)
    return { test: (text) => compiled?.test(text) ?? true, toString: () => `/${pattern}/` }
  }
  return Object.assign(engine, { code: 'patternEngine' })
}

function tryCompile(compile: (pattern: string) => RE2JS, pattern: string): RE2JS | undefined {
  try {
    return compile(pattern)
  } catch {
    return undefined
  }
}
