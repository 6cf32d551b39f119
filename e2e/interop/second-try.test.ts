import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { root } from '../scripts/run.mjs'
import { runSpecs } from '../scripts/second-try.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-second-try-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Specs that need no browser: each is named and says how many of its runs fail. */
function specs(failures: Readonly<Record<string, number>>) {
  const reporter = JSON.stringify([['list'], ['json', { outputFile: join(folder, 'flows.json') }]])
  writeFileSync(
    join(folder, 'specs.config.js'),
    `export default { testMatch: 'all.spec.js', workers: 1, reporter: ${reporter}, projects: [{ name: 'web' }] }\n`,
  )
  const tests = Object.entries(failures).map(
    ([title, times]) => `test(${JSON.stringify(title)}, () => {
      const file = ${JSON.stringify(join(folder, title))}
      const ran = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
      writeFileSync(file, String(ran + 1))
      expect(ran).toBeGreaterThanOrEqual(${times})
    })`,
  )
  const imports = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'\nimport { expect, test } from '@playwright/test'\n`
  writeFileSync(join(folder, 'all.spec.js'), `${imports}${tests.join('\n')}\n`)
  // The variables of this runner's own workers are not for the runner below it.
  return runSpecs({ config: 'specs.config.js', reports: folder, cwd: folder, env: { TEST_WORKER_INDEX: undefined } })
}
const runsOf = (title: string) => Number(readFileSync(join(folder, title), 'utf8'))

it('a spec that fails once and then passes by itself is green, and is named', async () => {
  const { code, notice } = await specs({ steady: 0, flaky: 1 })
  expect(code).toBe(0)
  expect(notice).toBe('1 spec passed at the second try: all.spec.js › flaky')
  expect([runsOf('steady'), runsOf('flaky')]).toEqual([1, 2])
  expect(readFileSync(join(folder, 'second-try.md'), 'utf8')).toContain('Expected: >= 1')
})

it('a spec that fails twice fails the run', async () => {
  const { code, notice } = await specs({ steady: 0, broken: 2 })
  expect(code).not.toBe(0)
  expect(notice).toBeUndefined()
  expect(runsOf('broken')).toBe(2)
})

it('three failed specs get no second try', async () => {
  const { code } = await specs({ one: 1, two: 1, three: 1 })
  expect(code).not.toBe(0)
  expect(runsOf('one')).toBe(1)
})
