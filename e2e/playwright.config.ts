import { defineConfig } from '@playwright/test'
import { electronProgram } from '../src-main/electron-program.mjs'
import { wantsRealElectron } from './shells/real-electron-shell.ts'
import { root } from './shells/shell-process.ts'
import type { ShellFixtures, WorkerFixtures } from './shells/shell-test.ts'

if (wantsRealElectron && !electronProgram(root) && process.env.TEST_WORKER_INDEX === undefined) {
  console.warn('\nNOT TESTED on Electron: its program is not downloaded. Run "npx install-electron" and try again.\n')
}

/** Specs of what differs between the shells; all others show the page and the host, on the double in the long run only. */
const SHELL = /\/(electron-.*|main-job|shell)\.spec\.ts$/
/** Specs that take long for how rarely they break, in the long run only. */
const SLOW = [
  'web-long-conversation.spec.ts',
  'web-large-result.spec.ts',
  'web-late-drawings.spec.ts',
  'web-full-disk.spec.ts',
  'hostile-messages.spec.ts',
  'pdf-frame.spec.ts',
]
const long = process.env.PARLEY_LONG === '1' || wantsRealElectron

/** Specs about confinement give the double orders that nobody can give to Electron itself. */
const notElectron = wantsRealElectron ? /\/(web|electron)-[^/]*\.spec\.ts$/ : 'web-*.spec.ts'

/** The specs on the web shell in a browser, and on the built Electron main and preload under the double. */
export default defineConfig<ShellFixtures, WorkerFixtures>({
  testDir: 'flows',
  testMatch: '*.spec.ts',
  outputDir: '../out/reports/flows',
  // As many as cores: each starts a host, a browser's page and servers, and more of them made a slow machine slower.
  workers: '100%',
  fullyParallel: true,
  ...(!long && { grepInvert: /@long/ }),
  forbidOnly: process.env.CI !== undefined,
  // All of these end what would never end; nothing waits for them unless it fails.
  timeout: 180_000,
  expect: { timeout: 30_000, toPass: { timeout: 60_000 } },
  reporter: [['list'], ['json', { outputFile: '../out/reports/flows.json' }]],
  use: { actionTimeout: 30_000 },
  projects: [
    { name: 'web', use: { kind: 'web' }, testIgnore: ['electron-*.spec.ts', ...(long ? [] : SLOW)] },
    {
      name: 'electron',
      use: { kind: 'electron' },
      testMatch: long ? '*.spec.ts' : SHELL,
      testIgnore: notElectron,
      // Specs of the page alone run once, on the web shell.
      ...(!long && { grepInvert: /@long|@web/ }),
    },
  ],
})
