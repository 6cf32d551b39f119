import { delimiter, join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { BuiltShell, STILL } from './built-shell.ts'
import { HostClient } from './host-client.ts'
import { node, root, ShellProcess } from './shell-process.ts'

const LINK = /http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]+/

/** The built web shell and a browser on its page. */
export class WebShell extends BuiltShell {
  readonly kind = 'web'
  #process: ShellProcess | undefined
  #context: BrowserContext | undefined

  get pid(): number {
    return this.#process?.pid ?? 0
  }

  /** Its own browser context, for a second page of another origin. */
  get context(): BrowserContext {
    if (!this.#context) throw new Error('The web shell is not started')
    return this.#context
  }

  output(): string {
    return this.#process?.output() ?? ''
  }

  async start(): Promise<void> {
    const own = ['--data', this.folder, '--no-open']
    const [program, ...args] = [
      ...(this.options.under?.(this.folder) ?? []),
      ...(this.options.npm
        ? ['npm', 'start', '--', '--web']
        : [node, this.options.script ?? join(root, 'out', 'main', 'web.js')]),
      ...own,
    ]
    this.#process = new ShellProcess(program as string, args, this.#env())
    const [link] = await this.#process.printed(LINK)
    this.#context ??= await (await this.browser()).newContext({
      ...STILL,
      ...(this.options.viewport && { viewport: this.options.viewport }),
    })
    this.show(await this.#open(link))
  }

  /** Presses Enter in its terminal. */
  async freshLink(): Promise<string> {
    const before = this.output().length
    this.#process?.child.stdin?.write('\n')
    const [link] = (await this.#process?.printed(LINK, before)) ?? []
    return link as string
  }

  async openWindow(): Promise<Page> {
    return this.#open(await this.freshLink())
  }

  override async aside(use: (window: HostClient) => Promise<void>): Promise<boolean> {
    const window = await HostClient.open(await this.freshLink())
    try {
      await use(window)
    } finally {
      await window.close()
    }
    return true
  }

  async quit(): Promise<number | null> {
    return (await this.#process?.stop()) ?? null
  }

  async kill9(): Promise<void> {
    await this.#process?.kill9()
  }

  override async restart(): Promise<Page> {
    const old = this.page
    await super.restart()
    await old.close()
    return this.page
  }

  override async dispose(): Promise<void> {
    await this.#context?.close()
    await super.dispose()
  }

  /** Gives `npm start` the PATH of a terminal instead of the one with which npm runs these tests. */
  #env(): Record<string, string> {
    const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
    return { ...(this.options.npm && { PATH: folders.join(delimiter) }), ...this.options.env }
  }

  async #open(link: string): Promise<Page> {
    const page = await this.context.newPage()
    const host = this.#process
    // When the host ends, its sockets and requests fail; that is not the page's fault.
    this.noteErrors(page, () => host?.leaving === false && host === this.#process)
    await page.goto(link)
    return page
  }
}
