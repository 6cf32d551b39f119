// Breaks one duty at a time in a copy of the project and runs the tests that should notice. A mutation that no test notices fails the run.
// `npm run mutate` runs all; `npm run mutate -- PING-01 stdio` those whose duty or file contains one of the words.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, run } from '../scripts/run.mjs'

/** @type {readonly { duty: string, breaks: string, file: string, find: string, replace: string, tests: string[] }[]} */
const mutations = JSON.parse(readFileSync(join(import.meta.dirname, 'mutations.json'), 'utf8'))
const words = process.argv.slice(2)
const chosen = mutations.filter(
  ({ duty, file }) => words.length === 0 || words.some((word) => duty.includes(word) || file.includes(word)),
)

const copy = mkdtempSync(join(tmpdir(), 'parley-mutate-'))
for (const name of ['src-main', 'src-shared', 'src-renderer', 'e2e', 'package.json', 'tsconfig.base.json']) {
  cpSync(join(root, name), join(copy, name), { recursive: true })
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))

const vitest = (tests) =>
  run('vitest', ['run', '--config', join(copy, 'e2e', 'vitest.config.ts'), '--root', copy, '--bail', '1', ...tests], {
    quiet: true,
    cwd: copy,
  })

const survived = []
try {
  for (const [n, { duty, breaks, file, find, replace, tests }] of chosen.entries()) {
    const path = join(copy, file)
    const text = readFileSync(path, 'utf8')
    if (text.split(find).length !== 2) {
      survived.push(`${duty}: ${file} does not hold exactly once: ${find}`)
      continue
    }
    writeFileSync(
      path,
      text.replace(find, () => replace),
    )
    const { code, output } = await vitest(tests)
    writeFileSync(path, text)
    const noticed = code !== 0 && /FAIL|AssertionError|Error:/.test(output)
    console.log(
      `${noticed ? 'noticed ' : 'SURVIVED'} ${String(n + 1).padStart(2)}/${chosen.length}  ${duty.padEnd(10)} ${breaks}`,
    )
    if (!noticed) survived.push(`${duty}: ${breaks} (${tests.join(', ')})`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`\n${chosen.length - survived.length} of ${chosen.length} broken duties were noticed.`)
for (const line of survived) console.error(line)
process.exitCode = survived.length > 0 ? 1 : 0
