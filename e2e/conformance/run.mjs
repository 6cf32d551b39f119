// The official conformance runners against our client; the last line says for each revision how many of its scenarios passed.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../scripts/run.mjs'

const report = (name) => join(root, 'out', 'reports', `conformance-${name}.json`)
const RUNS = ['2025-11-25', '2026-07-28', 'older']
for (const name of RUNS) rmSync(report(name), { force: true })
const args = ['run', '--config', 'e2e/vitest.config.ts', '--project', 'interop', 'e2e/conformance', ...process.argv.slice(2)]
process.env.PARLEY_LONG = '1'
// Code compiled by one process is reused by the hundreds that follow.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compile')
const { code } = await run('vitest', args)

const said = RUNS.filter((name) => existsSync(report(name))).map((name) => {
  const { required, passed, checks, earlier, absent } = JSON.parse(readFileSync(report(name), 'utf8'))
  const notes = [
    ...earlier.map((scenario) => `${scenario} stops earlier, by right`),
    ...absent.map((scenario) => `${scenario} is an extension that is not built`),
  ]
  const what = name === 'older' ? 'the older runner' : name
  return `${what} ${passed}/${required}${name === 'older' ? '' : ' required'}, ${checks} checks${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`
})
console.log(`\nConformance: ${said.length > 0 ? said.join(' · ') : 'nothing was run'}`)
process.exitCode = code
