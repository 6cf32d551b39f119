import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { partsOf } from '../scripts/parts.mjs'
import { root } from '../scripts/run.mjs'

const read = (...path) => JSON.parse(readFileSync(join(root, 'e2e', ...path), 'utf8'))
const WEIGHTY = new Set(['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT'])

/**
 * Each breaks one duty: `find` stands once in `file` and becomes `replace`; at least one of `tests` should notice.
 * `built` names tests of the build that should notice it, too, each a file or `file > words of its title`.
 * @type {readonly { duty: string, breaks: string, file: string, find: string, replace: string, tests: string[], built?: string[] }[]}
 */
export const mutations = read('mutate', 'mutations.json')

export const areaOf = (duty) => duty.replace(/-\d+$/, '')

/** The number of duties of each area that the specification puts in capitals: its share of the mutations is as large at least. */
export function shares() {
  const rows = new Map()
  for (const { id, level } of [...read('obligations.json'), ...read('obligations-2025-11-25.json')]) {
    if (WEIGHTY.has(level)) rows.set(areaOf(id), (rows.get(areaOf(id)) ?? 0) + 1)
  }
  return rows
}

/** The text with the duty broken; undefined when `find` does not stand in it exactly once. */
export function broken(text, { find, replace }) {
  return text.split(find).length === 2 ? text.replace(find, () => replace) : undefined
}

/** Problems that keep mutations from running, in words. */
export function unusable(all = mutations) {
  return all.flatMap((mutation) => {
    const { duty, file, find, replace, tests, built = [] } = mutation
    const gone = [file, ...tests, ...built.map((test) => test.split(' > ')[0])].filter((path) => !existsSync(join(root, path)))
    if (gone.length > 0) return gone.map((path) => `${duty}: there is no ${path}`)
    // One run of vitest ends with the errors of one project and hides the other's.
    const parts = new Set(tests.flatMap(partsOf))
    if (parts.size !== 1) return [`${duty}: its tests are of ${[...parts].join(' and ') || 'no part'}, not of one`]
    if (find === replace) return [`${duty}: changes nothing: ${find}`]
    const fits = broken(readFileSync(join(root, file), 'utf8'), mutation) !== undefined
    return fits ? [] : [`${duty}: ${file} does not hold exactly once: ${find}`]
  })
}

/**
 * The end of a run of a mutation's tests, in a word. Only a test that fails has noticed: by an assertion, or by what it threw. A test that ran
 * out of time, an error outside any test, a file that does not load and tests that do not end tell nothing of the duty.
 */
export const NOTICED = new Set(['failed', 'threw'])

/** The outcome of a failed test by its error as vitest has it. */
export function failureOf({ name = '', message = '' } = {}) {
  if (TIMEOUT.test(message)) return 'timed out'
  return ASSERTION.test(name) || ASSERTION_TEXT.test(message) ? 'failed' : 'threw'
}

/** Of vitest, and of Playwright: a whole test, and one step of it that waits for what does not come. */
const TIMEOUT = /^(Test|Hook) timed out in \d+ ?ms|^Test timeout of \d+ms exceeded|^[\w.]+: (Test ended\.|Timeout \d+ms exceeded)/

/** Assertions of vitest, Node and Testing Library by their names; those of fast-check by their words. */
const ASSERTION = /^(AssertionError|JestAssertionError|TestingLibraryElementError)$/
const ASSERTION_TEXT = /^Property failed after /

/** The outcome of what vitest says of a run: undefined when all passed. */
export function outcomeOf({ testModules, unhandledErrors }) {
  const failures = testModules.flatMap((module) =>
    [...module.children.allTests('failed')].map((test) => {
      const [error] = test.result().errors ?? []
      return { is: failureOf(error), title: test.name, said: error?.message ?? '' }
    }),
  )
  const failure = failures.find(({ is }) => NOTICED.has(is)) ?? failures[0]
  if (failure) return failure
  for (const module of testModules)
    for (const error of module.errors()) return { is: 'not loaded', title: module.relativeModuleId, said: error.message }
  if (unhandledErrors.length > 0) return { is: 'unhandled', title: 'an error outside any test', said: String(unhandledErrors[0]) }
}
