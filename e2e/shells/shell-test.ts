import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import type { Browser, Page } from 'playwright'
import { electronProgram } from '../../src-main/electron-program.mjs'
import { VIEW_SWITCHES } from '../../src-main/shells/electron/view-switches.ts'
import { launchChromium } from './chromium.ts'
import { wantsRealElectron } from './real-electron-shell.ts'
import type { RunningShell, ShellKind, ShellOptions } from './running-shell.ts'
import { root } from './shell-process.ts'
import { startShell } from './start-shell.ts'

export interface ShellFixtures {
  /** Set with `test.use({ shellOptions: … })`. */
  shellOptions: ShellOptions
  /** Console errors that the test causes on purpose; set with `test.use`. */
  expectedFaults: RegExp | undefined
  shell: RunningShell
  page: Page
  /** A folder of this test alone, outside the data folder; removed after it. */
  tempFolder: string
}

export interface WorkerFixtures {
  /** Set by the Playwright project. */
  kind: ShellKind
  /** The worker's browser, launched on first use. */
  chromium: () => Promise<Browser>
}

/**
 * A test on a running shell with a data folder, a host, and a browser context of its own; the browser is its worker's. It fails on
 * any console error of a page.
 */
export const test = base.extend<ShellFixtures, WorkerFixtures>({
  kind: ['web', { option: true, scope: 'worker' }],
  chromium: [
    async ({ kind }, use) => {
      let launched: Promise<Browser> | undefined
      await use(() => (launched ??= launchChromium(kind === 'electron' ? VIEW_SWITCHES : {})))
      await (await launched)?.close()
    },
    { scope: 'worker' },
  ],
  shellOptions: [{}, { option: true }],
  expectedFaults: [undefined, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
  tempFolder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-spec-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },
  shell: async ({ kind, chromium, shellOptions, expectedFaults }, use, info) => {
    const noProgram = kind === 'electron' && wantsRealElectron && !electronProgram(root)
    info.skip(noProgram, "NOT TESTED on Electron: its program is not downloaded; run 'npx install-electron'")
    const shell = await startShell(kind, { browser: chromium, ...shellOptions })
    try {
      await use(shell)
      const faults = shell.faults.filter((fault) => !expectedFaults?.test(fault))
      if (faults.length > 0) throw new Error(`Errors in the page's console:\n${faults.join('\n')}`)
    } finally {
      if (info.status !== info.expectedStatus) {
        const png = await shell.page.screenshot().catch(() => undefined)
        if (png) await info.attach('page', { body: png, contentType: 'image/png' })
        await info.attach('output', { body: shell.output(), contentType: 'text/plain' })
      }
      await shell.dispose()
    }
  },
  // The shell's page replaces Playwright's.
  page: async ({ shell }, use) => use(shell.page),
})

export { expect } from '@playwright/test'
