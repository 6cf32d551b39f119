// Starts the unpacked app of `npm run package` on a folder of its own, makes a tool call as a newcomer does, and asks it to end.
// `npm run test:package -- <program>`; without one, the app that was packed for this system. Nothing in the app knows of it: Chromium's
// own port for debugging is what drives the page, which can allow no server and no call by hand (decision 0012).
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Page } from 'playwright'
import { appEnvironment } from '../../src-main/electron-program.mjs'
import { answer, card, expectShown, expectStatus } from '../flows/steps.ts'
import { root, ShellProcess } from '../shells/shell-process.ts'

/** Milliseconds until a window is open, and until the app has ended. */
const LIMIT = 60_000
const TOOL = 'add'
const SAYS = '2 + 3 = 5'

/** The place in which electron-builder puts it. */
export function packedProgram(os: string = process.platform, arch: string = process.arch): string {
  const other = arch === 'arm64' ? '-arm64' : ''
  if (os === 'darwin') return join(root, 'dist', `mac${other}`, 'Parley.app', 'Contents', 'MacOS', 'Parley')
  return os === 'win32'
    ? join(root, 'dist', `win${other}-unpacked`, 'Parley.exe')
    : join(root, 'dist', `linux${other}-unpacked`, 'parley')
}

/** Resolves with what was shown by the tool call; rejects with what is wrong, and all that the app printed. */
export async function tryPackage(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-package-'))
  // Without the key store of the account that runs it; for an unsigned package a Mac would ask.
  const args = ['--data', folder, '--remote-debugging-port=0', '--password-store=basic', '--use-mock-keychain']
  const app = new ShellProcess(program, args, {}, { environment: appEnvironment(process.env), patience: LIMIT })
  try {
    await app.printed(/^Parley is open\.\r?$/m)
    const [, address = ''] = await app.printed(/^DevTools listening on (ws:\/\/\S+)/m)
    const shown = await asNewcomer(address)
    if (process.platform === 'win32') await promisify(execFile)('taskkill', ['/PID', String(app.pid)])
    else app.child.kill('SIGTERM')
    const code = await Promise.race([app.ended(), late(LIMIT)])
    if (code !== 0) throw new Error(`It ended with ${code} when it was asked to end. It printed:\n${app.output()}`)
    return shown
  } finally {
    await app.kill9()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function asNewcomer(address: string): Promise<string> {
  const browser = await chromium.connectOverCDP(address, { timeout: LIMIT })
  try {
    const [context] = browser.contexts()
    const page: Page | undefined = context?.pages()[0] ?? (await context?.waitForEvent('page'))
    if (!page) throw new Error('The app has no page')
    await page.getByRole('button', { name: /try/i }).first().click()
    await answer(page, 'Allow once')
    await expectStatus(card(page, TOOL), 'Finished')
    await expectShown(page, TOOL, SAYS)
    return (await card(page, TOOL).textContent()) ?? ''
  } finally {
    await browser.close()
  }
}

function late(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, ms, 'nothing within a minute').unref())
}

if (import.meta.main) {
  const program = process.argv[2] ?? packedProgram()
  await tryPackage(program)
  console.log(`${program} started, made a tool call and ended.`)
}
