import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { root } from '../scripts/run.mjs'
import { SecondTries } from '../scripts/second-try.mjs'

let folder: string
let tries: SecondTries
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-second-try-'))
  tries = new SecondTries(folder, { cwd: folder })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A test that fails at its first runs, as many as said, and keeps count of them in a file of its name. */
const failing = (title: string, times: number) => `test(${JSON.stringify(title)}, () => {
  const file = ${JSON.stringify(join(folder, title))}
  const ran = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  writeFileSync(file, String(ran + 1))
  expect(ran).toBeGreaterThanOrEqual(${times})
})`
const fileOf = (failures: Readonly<Record<string, number>>, runner: string, more = '') =>
  [
    `import { existsSync, readFileSync, writeFileSync } from 'node:fs'`,
    `import { expect, test } from '${runner}'`,
    ...Object.entries(failures).map(([title, times]) => failing(title, times)),
    more,
  ].join('\n')
const runsOf = (title: string) => Number(readFileSync(join(folder, title), 'utf8'))

/** The titles that the report of the part holds as passed. */
function passed() {
  const report: { testResults: { assertionResults: { title: string; status: string }[] }[] } = JSON.parse(
    readFileSync(join(folder, 'part.json'), 'utf8'),
  )
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  return results
    .filter(({ status }) => status === 'passed')
    .map(({ title }) => title)
    .sort()
}

/** Specs that need no browser: each is named and says how many of its runs fail. */
function specs(failures: Readonly<Record<string, number>>) {
  const reporter = JSON.stringify([['list'], ['json', { outputFile: join(folder, 'flows.json') }]])
  writeFileSync(
    join(folder, 'specs.config.js'),
    `export default { testMatch: 'all.spec.js', workers: 1, reporter: ${reporter}, projects: [{ name: 'web' }] }\n`,
  )
  writeFileSync(join(folder, 'all.spec.js'), fileOf(failures, '@playwright/test'))
  // The variables of this runner's own workers are not for the runner below it.
  return tries.specs({ config: 'specs.config.js', env: { TEST_WORKER_INDEX: undefined } })
}

/** Tests of one part: a file each. `outside` stands in the last file, after its tests. */
function tests(files: readonly Readonly<Record<string, number>>[], outside = '') {
  writeFileSync(
    join(folder, 'vitest.config.js'),
    `export default { test: { projects: [{ test: { name: 'part', include: ['*.test.js'] } }] } }\n`,
  )
  for (const [index, failures] of files.entries())
    writeFileSync(join(folder, `file-${index}.test.js`), fileOf(failures, 'vitest', index === files.length - 1 ? outside : ''))
  return tries.tests({ config: 'vitest.config.js', project: 'part' })
}

it('the tries of all parts are counted together: what then passes is green and named, and a third failure is red', async () => {
  const { code, notice } = await specs({ steady: 0, flaky: 1 })
  expect(code).toBe(0)
  expect(notice).toBe('1 spec passed at the second try: all.spec.js › flaky')
  expect([runsOf('steady'), runsOf('flaky')]).toEqual([1, 2])

  const second = await tests([{ firm: 0 }, { shaky: 1, beside: 0 }])
  expect(second).toMatchObject({ code: 0, notice: '1 test passed at the second try: file-1.test.js › shaky' })
  expect([runsOf('firm'), runsOf('shaky'), runsOf('beside')]).toEqual([1, 2, 2])
  expect(passed()).toEqual(['beside', 'firm', 'shaky'])
  const page = readFileSync(join(folder, 'second-try.md'), 'utf8')
  for (const text of [notice, 'Expected: >= 1', second.notice, 'AssertionError']) expect(page).toContain(text)

  expect((await tests([{ third: 1 }])).code).not.toBe(0)
  expect(runsOf('third')).toBe(1)
})

it('a test that fails twice fails the run', async () => {
  const { code, notice } = await tests([{ broken: 2 }])
  expect(code).not.toBe(0)
  expect(notice).toBeUndefined()
  expect(runsOf('broken')).toBe(2)
})

it('three failed tests of one file get no second try', async () => {
  const { code } = await tests([{ one: 1, two: 1, three: 1 }])
  expect(code).not.toBe(0)
  expect(runsOf('one')).toBe(1)
})

it('an error that no test caught allows none', async () => {
  const { code } = await tests([{ flaky: 1 }], `test('late', () => void Promise.reject(new Error('nobody caught this')))`)
  expect(code).not.toBe(0)
  expect(runsOf('flaky')).toBe(1)
})
