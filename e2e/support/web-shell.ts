import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { chromiumPath } from './chromium.ts'
import { node, root, ShellProcess } from './shell-process.ts'
import type { RunningShell, ShellOptions } from './start-shell.ts'

const LINK = /http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]+/

/** The built web shell and a browser on its page. */
export class WebShell implements RunningShell {
  readonly kind = 'web'
  readonly folder: string
  readonly pageErrors: string[] = []
  readonly #options: ShellOptions
  readonly #forget: () => Promise<void>
  #process: ShellProcess | undefined
  #browser: Browser | undefined
  #context: BrowserContext | undefined
  #page: Page | undefined

  constructor(folder: string, options: ShellOptions, forget: () => Promise<void>) {
    this.folder = folder
    this.#options = options
    this.#forget = forget
  }

  get page(): Page {
    if (!this.#page) throw new Error('The web shell is not started')
    return this.#page
  }

  get pid(): number {
    return this.#process?.pid ?? 0
  }

  /** The browser's own, for a second page of another origin. */
  get context(): BrowserContext {
    if (!this.#context) throw new Error('The web shell is not started')
    return this.#context
  }

  takePageErrors(): string[] {
    return this.pageErrors.splice(0)
  }

  output(): string {
    return this.#process?.output() ?? ''
  }

  async start(): Promise<void> {
    const own = ['--data', this.folder, '--no-open']
    this.#process = this.#options.npm
      ? new ShellProcess('npm', ['start', '--', '--web', ...own], this.#env())
      : new ShellProcess(node, [join(root, 'out', 'main', 'web.js'), ...own], this.#env())
    const [link] = await this.#process.printed(LINK)
    this.#browser ??= await chromium.launch({ executablePath: chromiumPath() })
    this.#context ??= await this.#browser.newContext(this.#options.viewport ? { viewport: this.#options.viewport } : {})
    this.#page = await this.#show(link)
  }

  /** Enter in its terminal. */
  async freshLink(): Promise<string> {
    const before = this.output().length
    this.#process?.child.stdin?.write('\n')
    const [link] = (await this.#process?.printed(LINK, before)) ?? []
    return link as string
  }

  async openWindow(): Promise<Page> {
    return this.#show(await this.freshLink())
  }

  async trustServer(answer: 'allow' | 'deny'): Promise<void> {
    const question = this.page.getByRole('dialog', { name: 'Start this server?' })
    await question.getByRole('button', { name: answer === 'allow' ? 'Allow' : 'Deny' }).click()
    await question.waitFor({ state: 'hidden' })
  }

  async quit(): Promise<number | null> {
    return (await this.#process?.stop()) ?? null
  }

  async kill9(): Promise<void> {
    await this.#process?.kill9()
  }

  async restart(): Promise<Page> {
    await this.quit()
    const old = this.#page
    await this.start()
    await old?.close()
    return this.page
  }

  async dispose(): Promise<void> {
    await this.#browser?.close()
    await this.quit()
    await this.#forget()
  }

  /** `npm start` gets the PATH of a terminal, not the one by which npm runs these tests. */
  #env(): Record<string, string> {
    const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
    return { ...(this.#options.npm && { PATH: folders.join(delimiter) }), ...this.#options.env }
  }

  async #show(link: string): Promise<Page> {
    const page = await this.context.newPage()
    const host = this.#process
    // A host that went away makes sockets and requests fail; that is not the page's doing.
    const note = (text: string) => {
      if (host?.running && host === this.#process) this.pageErrors.push(text)
    }
    page.on('console', (message) => {
      if (message.type() === 'error') note(message.text())
    })
    page.on('pageerror', (error) => note(String(error)))
    await page.goto(link)
    return page
  }
}
