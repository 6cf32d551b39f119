import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright'
import { root } from './shell-process.ts'
import type { RunningShell, ShellOptions } from './start-shell.ts'

const ALLOW = 1

/** Set to `real` by `npm run test:electron`: the same specs on Electron itself instead of the double. */
export const wantsRealElectron = process.env.PARLEY_ELECTRON === 'real'

/** Electron's own program, when it has been downloaded. */
export function electronProgram(): string | undefined {
  try {
    const folder = join(root, 'node_modules', 'electron')
    const program = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8'))
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}

/** The built desktop shell in Electron itself. */
export class RealElectronShell implements RunningShell {
  readonly kind = 'electron'
  readonly folder: string
  readonly pageErrors: string[] = []
  readonly #options: ShellOptions
  readonly #forget: () => Promise<void>
  #app: ElectronApplication | undefined
  #page: Page | undefined
  #output = ''

  constructor(folder: string, options: ShellOptions, forget: () => Promise<void>) {
    this.folder = folder
    this.#options = options
    this.#forget = forget
  }

  get page(): Page {
    if (!this.#page) throw new Error('The desktop shell is not started')
    return this.#page
  }

  get pid(): number {
    return this.#app?.process().pid ?? 0
  }

  takePageErrors(): string[] {
    return this.pageErrors.splice(0)
  }

  output(): string {
    return this.#output
  }

  async start(): Promise<void> {
    const executablePath = electronProgram()
    if (!executablePath) throw new Error('Electron is not downloaded: run "npx install-electron"')
    // Variables that are unset, as the type wants them: left out.
    const env = Object.fromEntries(
      Object.entries({ ...process.env, ...this.#options.env }).filter(([, value]) => value !== undefined),
    )
    this.#app = await _electron.launch({
      executablePath,
      args: [root, '--data', this.folder],
      env: env as Record<string, string>,
    })
    for (const stream of [this.#app.process().stdout, this.#app.process().stderr]) {
      stream?.on('data', (text) => (this.#output += String(text)))
    }
    this.#page = await this.#app.firstWindow()
    this.#page.on('console', (message) => {
      if (message.type() === 'error') this.pageErrors.push(message.text())
    })
    this.#page.on('pageerror', (error) => this.pageErrors.push(String(error)))
    if (this.#options.viewport) await this.#page.setViewportSize(this.#options.viewport)
  }

  openWindow(): Promise<Page> {
    throw new Error('The desktop app has one window; a second start only brings it to the front')
  }

  async trustServer(answer: 'allow' | 'deny'): Promise<void> {
    // Nobody can click a native box: its next answer is put in its place.
    if (answer === 'allow') {
      await this.#app?.evaluate(({ dialog }, response) => {
        const shown = dialog.showMessageBox
        dialog.showMessageBox = async () => {
          dialog.showMessageBox = shown
          return { response, checkboxChecked: false }
        }
      }, ALLOW)
    }
    const question = this.page.getByRole('dialog', { name: 'Start this server?' })
    await question.getByRole('button', { name: answer === 'allow' ? 'Allow' : 'Deny' }).click()
    await question.waitFor({ state: 'hidden' })
  }

  async quit(): Promise<number | null> {
    const child = this.#app?.process()
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const code = new Promise<number | null>((resolve) => child.once('exit', resolve))
    await this.#app?.evaluate(({ app }) => app.quit()).catch(() => {})
    return code
  }

  async kill9(): Promise<void> {
    const child = this.#app?.process()
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  async restart(): Promise<Page> {
    await this.quit()
    await this.start()
    return this.page
  }

  async dispose(): Promise<void> {
    await this.quit()
    await this.#forget()
  }
}
