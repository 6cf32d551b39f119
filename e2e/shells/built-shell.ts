import type { Browser, Page } from 'playwright'
import { launchChromium } from './chromium.ts'
import type { HostClient } from './host-client.ts'
import { press } from './press.ts'
import type { RunningShell, ShellKind, ShellOptions } from './running-shell.ts'

/** Reduced motion saves a quarter of the time of all specs. */
export const STILL = { reducedMotion: 'reduce' } as const

/** The common part of the shells under test. */
export abstract class BuiltShell implements RunningShell {
  abstract readonly kind: ShellKind
  readonly folder: string
  readonly pageErrors: string[] = []
  protected readonly options: ShellOptions
  readonly #forget: () => Promise<void>
  #page: Page | undefined
  #ownBrowser: Browser | undefined
  #forgiven = false

  constructor(folder: string, options: ShellOptions, forget: () => Promise<void>) {
    this.folder = folder
    this.options = options
    this.#forget = forget
  }

  abstract get pid(): number
  abstract output(): string
  abstract start(): Promise<void>
  abstract openWindow(): Promise<Page>
  abstract quit(): Promise<number | null>
  abstract kill9(): Promise<void>

  get page(): Page {
    if (!this.#page) throw new Error('The shell is not started')
    return this.#page
  }

  get faults(): readonly string[] {
    return this.#forgiven ? [] : this.pageErrors
  }

  forgivePageErrors(): void {
    this.#forgiven = true
  }

  async trustServer(answer: 'allow' | 'deny', start: 'open' | 'as proposed' = 'open'): Promise<void> {
    const question = this.page.getByRole('dialog', { name: /^(Start|Connect to) (this server|these \d+ servers)\?$/ })
    const open = question.getByRole('radio', { name: 'Open', exact: true })
    await question.waitFor()
    if (start === 'open' && (await open.isVisible())) await open.check()
    await press(question.getByRole('button', { name: answer === 'allow' ? /^Allow( \d+)?$/ : 'Deny' }))
    await question.waitFor({ state: 'hidden' })
  }

  async allowInBox(): Promise<void> {}

  /** False if the shell has no such window, and `use` did not run. */
  async aside(_use: (window: HostClient) => Promise<void>): Promise<boolean> {
    return false
  }

  async restart(): Promise<Page> {
    await this.quit()
    await this.start()
    return this.page
  }

  async dispose(): Promise<void> {
    await this.quit()
    await this.#ownBrowser?.close()
    await this.#forget()
  }

  protected async browser(): Promise<Browser> {
    if (this.options.browser) return this.options.browser()
    this.#ownBrowser ??= await launchChromium()
    return this.#ownBrowser
  }

  /** Makes a page the one that tests use from now on. */
  protected show(page: Page): void {
    this.#page = page
  }

  /** Notes errors only while `counts` returns true. */
  protected noteErrors(page: Page, counts: () => boolean = () => true): void {
    const note = (text: string) => {
      if (counts()) this.pageErrors.push(text)
    }
    page.on('console', (message) => {
      if (message.type() === 'error') note(message.text())
    })
    page.on('pageerror', (error) => note(String(error)))
  }
}

/** The desktop app has one window; a second start only brings it to the front. */
export abstract class DesktopShell extends BuiltShell {
  readonly kind = 'electron'

  openWindow(): Promise<Page> {
    throw new Error('The desktop app has one window; a second start only brings it to the front')
  }

  override async trustServer(answer: 'allow' | 'deny', start?: 'open' | 'as proposed'): Promise<void> {
    if (answer === 'allow') await this.allowInBox()
    await super.trustServer(answer, start)
  }

  abstract override allowInBox(): Promise<void>
}

/** Button numbers of the native box, in which Deny comes first. */
export const DENY = 0
export const ALLOW = 1
