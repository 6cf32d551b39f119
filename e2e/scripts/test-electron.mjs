// The end-to-end specs on Electron itself, where its program can be had. Says loudly when it cannot, and is then no success of anything.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, root, runParts } from './run.mjs'

const folder = join(root, 'node_modules', 'electron')
const told = join(folder, 'path.txt')
const program = existsSync(told) ? join(folder, 'dist', readFileSync(told, 'utf8').trim()) : undefined

if (!program || !existsSync(program)) {
  console.error('SKIPPED: the program of Electron is not here, so nothing was tested on it.')
  console.error('Start the desktop app once with `npm start` on a machine that can download it, then run this again.')
} else {
  await runParts([
    command('build', 'vite', ['build', '--app', '--logLevel', 'warn']),
    command('flows on Electron', 'playwright', ['test', '--config', 'e2e/playwright.config.ts', '--project', 'electron'], {
      env: { PARLEY_ELECTRON: 'real' },
    }),
  ])
}
