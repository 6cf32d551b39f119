import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright'
import type { DoubleOrder, DoubleReport } from '../electron/double/control.ts'
import { ALLOW, DENY, DesktopShell } from './built-shell.ts'
import { node, root, ShellProcess } from './shell-process.ts'
import { until } from './until.ts'

/** The built Electron main and preload under the double, its window as a page, and what it asked of the system. */
export class DoubleShell extends DesktopShell {
  /** Everything that the app asked of the system, oldest first, across restarts. */
  readonly calls: { readonly name: string; readonly args: readonly unknown[] }[] = []
  readonly #answers = new Map<number, (value: unknown) => void>()
  #lastOrder = 0
  #process: ShellProcess | undefined
  #cdp: string | undefined
  #browser: Browser | undefined

  get pid(): number {
    return this.#process?.pid ?? 0
  }

  output(): string {
    return this.#process?.output() ?? ''
  }

  async start(): Promise<void> {
    this.#cdp = undefined
    const app = new ShellProcess(node, this.#arguments(), this.options.env ?? {}, { ipc: true })
    this.#process = app
    app.child.on('message', (message) => this.#hear(message as DoubleReport))
    await app.printed(/^Parley is open\.$/m)
    this.#browser = await chromium.connectOverCDP(await until(() => this.#cdp, 'the address of the windows'))
    this.show(await this.#currentPage())
    if (this.options.viewport) await this.page.setViewportSize(this.options.viewport)
  }

  /** Starts the app once more on the same folder, as a second click on its icon does; resolves with its exit code and words. */
  async startAgain(): Promise<{ code: number | null; output: string }> {
    const second = new ShellProcess(node, this.#arguments(), this.options.env ?? {}, { ipc: true })
    const code = await second.ended()
    return { code, output: second.output() }
  }

  /** Carries out an order in the double; resolves with what it answers. */
  async order(order: DoubleOrder): Promise<unknown> {
    this.#lastOrder += 1
    const id = this.#lastOrder
    return new Promise((resolve) => {
      this.#answers.set(id, resolve)
      this.#process?.child.send({ id, order })
    })
  }

  /** The calls of one name. */
  called(name: string): readonly (readonly unknown[])[] {
    return this.calls.filter((call) => call.name === name).map((call) => call.args)
  }

  protected override async allowInBox(): Promise<void> {
    await this.order({ do: 'answer-message-box', response: ALLOW })
  }

  /** The page says Allow and the person then thinks better of it in the native box. */
  async denyInBox(): Promise<void> {
    await this.order({ do: 'answer-message-box', response: DENY })
    await this.page.getByRole('dialog', { name: 'Start this server?' }).getByRole('button', { name: 'Allow' }).click()
  }

  /** The window after its page was replaced by another: a crash takes the old one. */
  async newPage(): Promise<Page> {
    this.show(await this.#currentPage(this.page))
    return this.page
  }

  async quit(): Promise<number | null> {
    await this.#browser?.close().catch(() => {})
    return (await this.#process?.stop()) ?? null
  }

  async kill9(): Promise<void> {
    await this.#browser?.close().catch(() => {})
    await this.#process?.kill9()
  }

  #arguments(): string[] {
    const hook = join(root, 'e2e', 'electron', 'hook.ts')
    return ['--import', pathToFileURL(hook).href, join(root, 'out', 'main', 'electron.js'), '--data', this.folder]
  }

  #currentPage(except?: Page): Promise<Page> {
    const pages = () => this.#browser?.contexts().flatMap((context) => context.pages()) ?? []
    return until(() => pages().find((page) => page !== except && page.url().includes('.localhost/')), "the app's window")
  }

  #hear(message: DoubleReport): void {
    switch (message.is) {
      case 'browser':
        this.#cdp = message.cdp
        return
      case 'call':
        this.calls.push({ name: message.name, args: message.args })
        return
      case 'page-error':
        this.pageErrors.push(message.text)
        return
      case 'answer':
        this.#answers.get(message.to)?.(message.value)
        this.#answers.delete(message.to)
    }
  }
}
