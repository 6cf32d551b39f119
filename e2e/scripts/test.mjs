// Everything: builds, runs each part of the tests, then holds what they showed against the duties.
// `npm test -- unit integration` runs parts, `npm test -- src-main/host/host.test.ts` files or folders, each in its part; --long runs every
// end-to-end spec on both shells.
import { mkdirSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { isBuilt } from '../../src-main/build-stamp.mjs'
import { partsOf } from './parts.mjs'
import { command, root, run, runParts } from './run.mjs'
import { SecondTries } from './second-try.mjs'

const reports = join(root, 'out', 'reports')
const NAMES = ['build', 'unit', 'integration', 'interop', 'browser', 'flows', 'duties']

// Most tests start programs of ours or official ones, hundreds in all: each is compiled once, not at every start.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compile')

const words = process.argv.slice(2).filter((word) => word !== '--long')
if (process.argv.includes('--long')) process.env.PARLEY_LONG = '1'
const long = process.env.PARLEY_LONG === '1'
const tries = new SecondTries(reports)
/** Part → the files wanted of it; none means all. */
const wanted = new Map()
const wrong = []
for (const word of words) {
  const path = relative(root, resolve(process.env.INIT_CWD ?? root, word)).replaceAll('\\', '/')
  const parts = partsOf(path)
  if (NAMES.includes(word)) wanted.set(word, [])
  else if (word.startsWith('-') || parts.length === 0) wrong.push(word)
  else for (const part of parts) wanted.set(part, [...(wanted.get(part) ?? []), path])
}

if (wrong.length > 0) {
  console.error(`npm test does not know ${wrong.join(', ')}: it takes ${NAMES.join(', ')}, test files or folders, and --long.`)
  process.exitCode = 1
} else await test()

function vitest(name) {
  const files = wanted.get(name) ?? []
  const config = 'e2e/vitest.config.ts'
  // Unit tests depend on no process, socket or clock: one that fails by chance is to be mended.
  if (files.length === 0 && !long && name !== 'unit') return { name, go: () => tries.tests({ config, project: name }) }
  const reporters = ['--reporter', 'default']
  // A run of chosen files is no report on the whole.
  if (files.length === 0) reporters.push('--reporter', 'json', '--outputFile.json', join(reports, `${name}.json`))
  return command(name, 'vitest', ['run', '--config', config, '--project', name, '--passWithNoTests', ...reporters, ...files])
}

function flows() {
  const files = wanted.get('flows') ?? []
  const config = 'e2e/playwright.config.ts'
  if (files.length > 0) return command('flows', 'playwright', ['test', '--config', config, '--reporter', 'list', ...files])
  if (long) return command('flows', 'playwright', ['test', '--config', config])
  return { name: 'flows', go: () => tries.specs({ config }) }
}

async function test() {
  const whole = wanted.size === 0
  if (whole) rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const has = (...names) => whole || names.some((name) => wanted.has(name))
  const stale = whole || wanted.has('build') || !isBuilt(root)
  await runParts([
    { name: 'node 24', go: checkNode },
    ...(has('build', 'interop', 'flows') && stale ? [command('build', 'vite', ['build', '--app', '--logLevel', 'warn'])] : []),
    ...['unit', 'integration', 'interop'].filter((name) => has(name)).map(vitest),
    ...(has('browser', 'flows') ? [command('browser', 'node', ['e2e/scripts/ensure-chromium.mjs'])] : []),
    ...(has('flows') ? [flows()] : []),
    ...(has('duties') ? [command('duties', 'node', ['e2e/scripts/obligations.mjs', '--check'])] : []),
  ])
}

async function checkNode() {
  const { output } = await run('node', ['-p', 'process.versions.node'], { quiet: true })
  if (Number.parseInt(output, 10) >= 24) return { code: 0 }
  console.error(`The tests need Node 24 or newer; this is ${output.trim()}. Run npm install again, or install Node 24.`)
  return { code: 1 }
}
