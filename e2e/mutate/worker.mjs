// One copy of the project and one vitest that stays: breaks what it is sent, answers with the test that noticed, and mends it again.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { root } from '../scripts/run.mjs'
import { broken } from './list.mjs'

const copy = mkdtempSync(join(tmpdir(), 'parley-mutate-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const name of ['src-main', 'src-shared', 'src-renderer', 'e2e', 'docs', 'assets', 'package.json', 'tsconfig.base.json']) {
  cpSync(join(root, name), join(copy, name), { recursive: true })
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
const config = join(copy, 'e2e', 'vitest.config.ts')
// A process that has read a file once would go on with it unbroken. And what hangs was noticed: no need to wait for long.
const changed = readFileSync(config, 'utf8')
  .replace('isolate: false', 'isolate: true')
  .replaceAll('Timeout: 60_000', 'Timeout: 20_000')
writeFileSync(config, changed)

process.chdir(copy)
const vitest = await createVitest('test', { config, root: copy, watch: false, bail: 1, reporters: [{}] })
for (const { name, config } of vitest.projects)
  if (!config.isolate) throw new Error(`The tests of ${name} would keep what they read.`)
await vitest.standalone()

/** Whose test or file failed, and with what; undefined when all passed. */
async function run(tests) {
  vitest.state.filesMap.clear()
  const specifications = await vitest.globTestSpecifications(tests.map((test) => join(copy, test)))
  if (specifications.length < tests.length) throw new Error(`No such tests: ${tests.join(', ')}`)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  for (const module of testModules) {
    for (const test of module.children.allTests('failed')) return { title: test.name, said: test.result().errors?.[0]?.message }
    for (const error of module.errors()) return { title: module.relativeModuleId, said: error.message }
  }
  return unhandledErrors.length > 0 ? { title: 'an unhandled error', said: String(unhandledErrors[0]) } : undefined
}

/** What fails without a break notices nothing: whose tests do, in words; each is looked at once. */
const unbroken = new Map()
async function failingAnyway(tests) {
  for (const test of tests) {
    if (!unbroken.has(test)) unbroken.set(test, await run([test]))
    const failed = unbroken.get(test)
    if (failed) return `${test} fails unbroken: “${failed.title}”: ${failed.said}`
  }
}

function answer(said) {
  if (process.connected) process.send(said)
}

process.on('message', async (mutation) => {
  const path = join(copy, mutation.file)
  const text = readFileSync(path, 'utf8')
  const change = (to) => {
    writeFileSync(path, to)
    vitest.invalidateFile(path)
  }
  try {
    const failed = await failingAnyway(mutation.tests)
    if (failed) return answer({ failed })
    change(broken(text, mutation) ?? text)
    answer({ noticed: await run(mutation.tests) })
  } catch (error) {
    answer({ failed: String(error) })
  } finally {
    change(text)
  }
})
process.on('disconnect', () => vitest.close().finally(() => process.exit()))
answer({ ready: true })
