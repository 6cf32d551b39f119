// The end-to-end specs on Electron itself, where its program can be had. Says loudly when it cannot, and is then no success of anything.
import { electronProgram } from '../../src-main/electron-program.mjs'
import { command, root, runParts } from './run.mjs'

if (!electronProgram(root)) {
  console.error('SKIPPED: the program of Electron is not here, so nothing was tested on it.')
  console.error('Download it with `npx install-electron`, or name the folder of one with ELECTRON_OVERRIDE_DIST_PATH.')
} else {
  await runParts([
    command('build', 'vite', ['build', '--app', '--logLevel', 'warn']),
    command('flows on Electron', 'playwright', ['test', '--config', 'e2e/playwright.config.ts', '--project', 'electron'], {
      env: { PARLEY_ELECTRON: 'real' },
    }),
  ])
}
