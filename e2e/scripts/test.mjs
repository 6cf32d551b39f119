// Everything: builds, then unit, interop and end-to-end tests, then the page that says which duties they showed.
// `npm test -- unit interop flows` runs only the parts named; --long runs every spec on both shells.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { command, root, run, runParts } from './run.mjs'

const wanted = process.argv.slice(2).filter((word) => word !== '--long')
const env = process.argv.includes('--long') ? { PARLEY_LONG: '1' } : {}
const reports = join(root, 'out', 'reports')
if (wanted.length === 0) rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const vitest = (project) =>
  command(project, 'vitest', [
    'run',
    '--config',
    'e2e/vitest.config.ts',
    '--project',
    project,
    '--reporter',
    'default',
    '--reporter',
    'json',
    '--outputFile.json',
    join(reports, `${project}.json`),
  ])

const parts = [
  {
    name: 'node 24',
    go: async () => {
      const { output } = await run('node', ['-p', 'process.versions.node'], { quiet: true })
      if (Number.parseInt(output, 10) >= 24) return 0
      console.error(`The tests need Node 24 or newer; this is ${output.trim()}. Run npm install again, or install Node 24.`)
      return 1
    },
  },
  command('build', 'vite', ['build', '--app', '--logLevel', 'warn']),
  vitest('unit'),
  vitest('interop'),
  command('browser', 'node', ['e2e/scripts/ensure-chromium.mjs']),
  command('flows', 'playwright', ['test', '--config', 'e2e/playwright.config.ts'], { env }),
  command('duties', 'node', ['e2e/scripts/obligations.mjs', '--check']),
]

await runParts(parts.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
