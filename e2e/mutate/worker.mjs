// One copy of the project and one vitest that stays: breaks what it is sent, answers with the test that noticed, and mends it again.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { root } from '../scripts/run.mjs'
import { broken, outcomeOf } from './list.mjs'

const copy = mkdtempSync(join(tmpdir(), 'parley-mutate-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const name of ['src-main', 'src-shared', 'src-renderer', 'e2e', 'docs', 'assets', 'package.json', 'tsconfig.base.json']) {
  cpSync(join(root, name), join(copy, name), { recursive: true })
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
const config = join(copy, 'e2e', 'vitest.config.ts')
for (const [path, from, to] of [
  // A process that has read a file once would go on with it unbroken.
  [config, 'isolate: false', 'isolate: true'],
  // A test that hangs times out before its run is given up,
  [config, 'const LONGEST = 180_000', 'const LONGEST = 45_000'],
  // and a wait for what a break keeps from coming fails before its test times out.
  [join(copy, 'e2e', 'support', 'until.ts'), 'const LIMIT = 30_000', 'const LIMIT = 10_000'],
]) {
  const text = readFileSync(path, 'utf8')
  if (!text.includes(from)) throw new Error(`${path} does not say ${from}`)
  writeFileSync(path, text.replaceAll(from, to))
}

process.chdir(copy)
const vitest = await createVitest('test', { config, root: copy, watch: false, bail: 1, reporters: [{}] })
for (const { name, config } of vitest.projects)
  if (!config.isolate) throw new Error(`The tests of ${name} would keep what they read.`)
await vitest.standalone()

/** The result of the tests; undefined when all passed. */
async function run(tests) {
  vitest.state.filesMap.clear()
  const specifications = await vitest.globTestSpecifications(tests.map((test) => join(copy, test)))
  if (specifications.length < tests.length) throw new Error(`No such tests: ${tests.join(', ')}`)
  return outcomeOf(await vitest.runTestSpecifications(specifications))
}

/** A test that fails without a break notices nothing: names such tests; each is run once. */
const unbroken = new Map()
async function failingAnyway(tests) {
  for (const test of tests) {
    if (!unbroken.has(test)) unbroken.set(test, await run([test]))
    const failed = unbroken.get(test)
    if (failed) return `${test}: ${failed.is}: “${failed.title}”: ${failed.said}`
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
    if (failed) return answer({ outcome: { is: 'fails unbroken', said: failed } })
    change(broken(text, mutation) ?? text)
    answer({ outcome: (await run(mutation.tests)) ?? { is: 'survived' } })
  } catch (error) {
    answer({ outcome: { is: 'not run', said: String(error) } })
  } finally {
    change(text)
  }
})
process.on('disconnect', () => vitest.close().finally(() => process.exit()))
answer({ ready: true })
