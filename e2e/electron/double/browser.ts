import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright'
import { chromiumPath } from '../../support/chromium.ts'
import { until } from '../../support/until.ts'
import { report } from './control.ts'

let opened: BrowserContext | undefined

/** Starts the system's Chromium with a profile in `folder`, which like Electron's userData outlives the app. */
export async function openBrowser(folder: string): Promise<void> {
  opened = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    viewport: null,
    args: ['--remote-debugging-port=0'],
  })
  const port = await until(() => readPort(join(folder, 'DevToolsActivePort')), 'the debugging port')
  report({ is: 'browser', cdp: `http://127.0.0.1:${port}` })
}

export function browser(): BrowserContext {
  if (!opened) throw new Error('The app is not ready: no window can open yet')
  return opened
}

export async function closeBrowser(): Promise<void> {
  await opened?.close().catch(() => {})
}

function readPort(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : undefined
}
