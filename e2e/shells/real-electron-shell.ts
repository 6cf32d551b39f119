import { _electron, type ElectronApplication } from 'playwright'
import { appEnvironment, electronProgram } from '../../src-main/electron-program.mjs'
import { ALLOW, DesktopShell } from './built-shell.ts'
import { root } from './shell-process.ts'

/** Set to `real` by `npm run test:electron`: the same specs on Electron itself instead of the double. */
export const wantsRealElectron = process.env.PARLEY_ELECTRON === 'real'

/** The built desktop shell in Electron itself. */
export class RealElectronShell extends DesktopShell {
  #app: ElectronApplication | undefined
  #pid = 0
  #output = ''

  get pid(): number {
    return this.#pid
  }

  output(): string {
    return this.#output
  }

  async start(): Promise<void> {
    const executablePath = electronProgram(root)
    if (!executablePath) throw new Error('Electron is not downloaded: run "npx install-electron"')
    // The type allows no undefined values, so unset variables are left out.
    const env = Object.fromEntries(
      Object.entries({ ...appEnvironment(process.env), ...this.options.env }).filter(([, value]) => value !== undefined),
    )
    this.#app = await _electron.launch({
      executablePath,
      // The key stores of the account that runs the tests must not be used.
      args: ['--password-store=basic', '--use-mock-keychain', root, '--data', this.folder, ...(this.options.args ?? [])],
      // Otherwise Playwright disables the sandbox on Linux, without which the app does not start.
      chromiumSandbox: true,
      env: env as Record<string, string>,
    })
    for (const stream of [this.#app.process().stdout, this.#app.process().stderr]) {
      stream?.on('data', (text) => (this.#output += String(text)))
    }
    // On Windows Playwright's process is the shell that starts the app.
    this.#pid = await this.#app.evaluate(() => process.pid)
    this.show(await this.#app.firstWindow())
    this.noteErrors(this.page)
    if (this.options.viewport) await this.page.setViewportSize(this.options.viewport)
  }

  /** Sets the answer of the next native box, which no test can click. */
  override async allowInBox(): Promise<void> {
    await this.#app?.evaluate(({ dialog }, response) => {
      const shown = dialog.showMessageBox
      dialog.showMessageBox = async () => {
        dialog.showMessageBox = shown
        return { response, checkboxChecked: false }
      }
    }, ALLOW)
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
    process.kill(this.#pid, 'SIGKILL')
    await gone
  }
}
