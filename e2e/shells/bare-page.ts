import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { until } from '../support/until.ts'
import { chromiumPath } from './chromium.ts'
import { ShellProcess } from './shell-process.ts'

interface Answer {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** A page of Chromium without Playwright, which takes a page for crashed when the process of one of its frames ends. */
export class BarePage implements AsyncDisposable {
  readonly #process: ShellProcess
  readonly #folder: string
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #session = ''
  #next = 0

  private constructor(process: ShellProcess, folder: string, socket: WebSocket) {
    this.#process = process
    this.#folder = folder
    this.#socket = socket
    socket.on('message', (data) => {
      const answer: Answer = JSON.parse(String(data))
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer)
    })
  }

  static async open(url: string): Promise<BarePage> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-page-'))
    const args = ['--headless', '--no-sandbox', '--site-per-process', '--remote-debugging-port=0', `--user-data-dir=${folder}`]
    const process = new ShellProcess(chromiumPath(), args, {})
    const [, address = ''] = await process.printed(/DevTools listening on (ws:\/\/\S+)/)
    const socket = new WebSocket(address)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    const page = new BarePage(process, folder, socket)
    const { targetId } = await page.#ask<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
    page.#session = await page.#attach(targetId)
    await page.#ask('Page.navigate', { url }, page.#session)
    return page
  }

  /** The value of an expression in the page, as JSON. */
  async read(expression: string): Promise<unknown> {
    const how = { expression, returnByValue: true }
    const { result } = await this.#ask<{ result: { value?: unknown } }>('Runtime.evaluate', how, this.#session)
    return result.value
  }

  shows(text: string): Promise<boolean> {
    return until(async () => String(await this.read('document.body.innerText')).includes(text), `the page to show “${text}”`)
  }

  click(button: string): Promise<unknown> {
    return this.read(
      `[...document.querySelectorAll('button')].find((one) => one.innerText === ${JSON.stringify(button)})?.click()`,
    )
  }

  /** Ends the process of each frame that has one of its own; returns how many there were. */
  async killFrames(): Promise<number> {
    const { targetInfos } = await this.#ask<{ targetInfos: { type: string; targetId: string }[] }>('Target.getTargets')
    const frames = targetInfos.filter(({ type }) => type === 'iframe')
    for (const { targetId } of frames) this.#send('Page.crash', {}, await this.#attach(targetId))
    return frames.length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close()
    await this.#process.kill9()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  async #attach(targetId: string): Promise<string> {
    const how = { targetId, flatten: true }
    return (await this.#ask<{ sessionId: string }>('Target.attachToTarget', how)).sessionId
  }

  #send(method: string, params: object, sessionId?: string): number {
    const id = ++this.#next
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }))
    return id
  }

  #ask<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    const id = this.#send(method, params, sessionId)
    return new Promise((resolve, reject) =>
      this.#waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result as T))),
    )
  }
}
