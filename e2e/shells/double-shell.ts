import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createPackage } from '@electron/asar'
import type { Browser, BrowserContext, Page } from 'playwright'
import type { DoubleOrder, DoubleReport } from '../electron/double/control.ts'
import { until } from '../support/until.ts'
import { ALLOW, DENY, DesktopShell } from './built-shell.ts'
import { press } from './press.ts'
import { node, root, ShellProcess } from './shell-process.ts'

/** The built Electron main and preload under the double, whose window is a page. */
export class DoubleShell extends DesktopShell {
  /** All calls to the system, the oldest first, across restarts. */
  readonly calls: { readonly name: string; readonly args: readonly unknown[] }[] = []
  readonly #answers = new Map<number, (value: unknown) => void>()
  #lastOrder = 0
  #process: ShellProcess | undefined
  #context: BrowserContext | undefined
  #outside: BrowserContext | undefined

  get pid(): number {
    return this.#process?.pid ?? 0
  }

  output(): string {
    return this.#process?.output() ?? ''
  }

  async start(): Promise<void> {
    const browser = await this.browser()
    // The app opens a browser context of its own, which this side finds by its event.
    browser.once('context', (context) => {
      this.#context = context
    })
    const app = await this.#run()
    this.#process = app
    app.child.on('message', (message) => this.#hear(message as DoubleReport))
    await app.printed(/^Parley is open\.$/m)
    this.show(await this.#currentPage())
    if (this.options.viewport) await this.page.setViewportSize(this.options.viewport)
  }

  /** Starts the app again on the same folder, as a second click on its icon or a link does. Resolves with its exit code and output. */
  async startAgain(...arrivals: string[]): Promise<{ code: number | null; output: string }> {
    const second = await this.#run(arrivals)
    const code = await second.ended()
    return { code, output: second.output() }
  }

  /** Runs a command in the double and resolves with its answer. */
  async order(order: DoubleOrder): Promise<unknown> {
    this.#lastOrder += 1
    const id = this.#lastOrder
    return new Promise((resolve) => {
      this.#answers.set(id, resolve)
      this.#process?.child.send({ id, order })
    })
  }

  called(name: string): readonly (readonly unknown[])[] {
    return this.calls.filter((call) => call.name === name).map((call) => call.args)
  }

  override async allowInBox(): Promise<void> {
    await this.order({ do: 'answer-message-box', response: ALLOW })
  }

  /** Allows in the page and then denies in the native box. */
  async denyInBox(): Promise<void> {
    await this.order({ do: 'answer-message-box', response: DENY })
    const question = this.page.getByRole('dialog', { name: /^(Start|Connect to) this server\?$/ })
    await press(question.getByRole('button', { name: 'Allow' }))
  }

  /** The window's new page after a crash took the old one. */
  async newPage(): Promise<Page> {
    this.show(await this.#currentPage(this.page))
    return this.page
  }

  /** A page of the system's browser, which the app does not know. */
  async outsidePage(): Promise<Page> {
    this.#outside ??= await (await this.browser()).newContext()
    return this.#outside.newPage()
  }

  override async dispose(): Promise<void> {
    await this.#outside?.close()
    await super.dispose()
  }

  async quit(): Promise<number | null> {
    const code = (await this.#process?.stop()) ?? null
    await this.#closeContext()
    return code
  }

  async kill9(): Promise<void> {
    await this.#process?.kill9()
    await this.#closeContext()
  }

  /** Either side may close it first as the app ends; the second finds it gone. */
  async #closeContext(): Promise<void> {
    await this.#context?.close().catch((error: unknown) => {
      if (!String(error).includes('has been closed')) throw error
    })
  }

  async #run(arrivals: readonly string[] = []): Promise<ShellProcess> {
    const electron = (file: string) => pathToFileURL(join(root, 'e2e', 'electron', file)).href
    const hook = electron('hook.ts')
    const app = this.options.packaged
      ? ['--import', electron('asar.mjs'), '--import', hook, join(root, 'e2e', 'electron', 'packaged.mjs')]
      : ['--import', hook, join(root, 'out', 'main', 'electron.js')]
    const args = [...app, '--data', this.folder, ...(this.options.args ?? []), ...arrivals]
    const env = {
      ...this.options.env,
      ...(this.options.packaged && { PARLEY_DOUBLE_ARCHIVE: await this.#archive() }),
      PARLEY_DOUBLE_BROWSER: await addressOf(await this.browser()),
    }
    return new ShellProcess(node, args, env, { ipc: true })
  }

  /** The build in an archive, as in a package; removed with the spec's other folders. */
  async #archive(): Promise<string> {
    const archive = join(`${this.folder}-app`, 'resources', 'app.asar')
    if (existsSync(archive)) return archive
    const files = `${this.folder}-files`
    for (const name of ['package.json', 'out/main', 'out/preload', 'out/renderer'])
      await cp(join(root, name), join(files, name), { recursive: true })
    await createPackage(files, archive)
    return archive
  }

  #currentPage(except?: Page): Promise<Page> {
    const pages = () => this.#context?.pages() ?? []
    return until(() => pages().find((page) => page !== except && page.url().includes('.localhost/')), "the app's window", 30_000)
  }

  #hear(message: DoubleReport): void {
    switch (message.is) {
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

const addresses = new WeakMap<Browser, Promise<{ endpoint: string }>>()

/** Address at which other processes reach this process's browser. */
async function addressOf(browser: Browser): Promise<string> {
  const bound = addresses.get(browser) ?? browser.bind('parley', { host: '127.0.0.1', port: 0 })
  addresses.set(browser, bound)
  return (await bound).endpoint
}
