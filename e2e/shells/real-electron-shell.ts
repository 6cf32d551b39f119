import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { _electron, type ElectronApplication } from 'playwright'
import { ALLOW, DesktopShell } from './built-shell.ts'
import { root } from './shell-process.ts'

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
export class RealElectronShell extends DesktopShell {
  #app: ElectronApplication | undefined
  #output = ''

  get pid(): number {
    return this.#app?.process().pid ?? 0
  }

  output(): string {
    return this.#output
  }

  async start(): Promise<void> {
    const executablePath = electronProgram()
    if (!executablePath) throw new Error('Electron is not downloaded: run "npx install-electron"')
    // Variables that are unset, as the type wants them: left out.
    const env = Object.fromEntries(
      Object.entries({ ...process.env, ...this.options.env }).filter(([, value]) => value !== undefined),
    )
    this.#app = await _electron.launch({
      executablePath,
      args: [root, '--data', this.folder],
      env: env as Record<string, string>,
    })
    for (const stream of [this.#app.process().stdout, this.#app.process().stderr]) {
      stream?.on('data', (text) => (this.#output += String(text)))
    }
    this.show(await this.#app.firstWindow())
    this.noteErrors(this.page)
    if (this.options.viewport) await this.page.setViewportSize(this.options.viewport)
  }

  /** Nobody can click a native box: its next answer is put in its place. */
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
    child.kill('SIGKILL')
    await gone
  }
}
