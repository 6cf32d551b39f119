import { test as base } from '@playwright/test'
import type { Page } from 'playwright'
import { electronProgram, wantsRealElectron } from './real-electron-shell.ts'
import type { RunningShell, ShellKind, ShellOptions } from './running-shell.ts'
import { startShell } from './start-shell.ts'

export interface ShellFixtures {
  /** Which shell; set by the project. */
  kind: ShellKind
  /** Set with `test.use({ shellOptions: … })`. */
  shellOptions: ShellOptions
  shell: RunningShell
  page: Page
}

/** A test on a running shell with a data folder of its own. It fails on any console error of a page. */
export const test = base.extend<ShellFixtures>({
  kind: ['web', { option: true }],
  shellOptions: [{}, { option: true }],
  shell: async ({ kind, shellOptions }, use, info) => {
    const noProgram = kind === 'electron' && wantsRealElectron && !electronProgram()
    info.skip(noProgram, "NOT TESTED on Electron: its program is not downloaded; run 'npx install-electron'")
    const shell = await startShell(kind, shellOptions)
    try {
      await use(shell)
      if (shell.pageErrors.length > 0) throw new Error(`Errors in the page's console:\n${shell.pageErrors.join('\n')}`)
    } finally {
      if (info.status !== info.expectedStatus) {
        const png = await shell.page.screenshot().catch(() => undefined)
        if (png) await info.attach('page', { body: png, contentType: 'image/png' })
        await info.attach('output', { body: shell.output(), contentType: 'text/plain' })
      }
      await shell.dispose()
    }
  },
  // The shell's page stands in for Playwright's own.
  page: async ({ shell }, use) => use(shell.page),
})

export { expect } from '@playwright/test'
