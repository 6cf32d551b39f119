import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeBrowser, openBrowser } from './browser.ts'
import { record } from './control.ts'
import { modelled } from './modelled.ts'
import { ModelledEvents, preventable } from './modelled-events.ts'
import { openWindows } from './open-windows.ts'

const EVENTS = [
  'ready',
  'before-quit',
  'will-quit',
  'quit',
  'window-all-closed',
  'activate',
  'second-instance',
  'web-contents-created',
]

/** Electron's `app`: one life from ready to quit, in Electron's order. */
class App extends ModelledEvents {
  readonly isPackaged = false
  readonly #paths = new Map([['userData', join(tmpdir(), `parley-double-${process.pid}`)]])
  #ready: Promise<void> | undefined
  #quitting = false

  constructor() {
    super('app', EVENTS)
  }

  setPath(name: string, path: string): void {
    if (name !== 'userData') throw new Error(`not modelled: app.setPath ${name}`)
    if (this.#ready) throw new Error('userData is set too late: the app is ready')
    this.#paths.set(name, path)
  }

  getPath(name: string): string {
    const path = this.#paths.get(name)
    if (!path) throw new Error(`not modelled: app.getPath ${name}`)
    mkdirSync(path, { recursive: true })
    return path
  }

  whenReady(): Promise<void> {
    this.#ready ??= openBrowser().then(() => void this.emit('ready'))
    return this.#ready
  }

  /** A file with a pid, and a signal to the first instance: synchronous, as the real one is. */
  requestSingleInstanceLock(): boolean {
    const lock = join(this.getPath('userData'), 'instance.pid')
    const holder = Number(readOr(lock, '0'))
    if (holder > 0 && signal(holder, 'SIGUSR2')) return false
    writeFileSync(lock, String(process.pid))
    process.on('SIGUSR2', () => this.emit('second-instance', preventable({}), [], process.cwd()))
    process.on('exit', () => rmSync(lock, { force: true }))
    return true
  }

  quit(): void {
    if (this.#quitting) return
    const event = preventable({})
    this.emit('before-quit', event)
    if (event.defaultPrevented) return
    this.#quitting = true
    void this.#leave()
  }

  exit(code = 0): void {
    this.#quitting = true
    void closeBrowser().finally(() => process.exit(code))
  }

  async #leave(): Promise<void> {
    for (const window of [...openWindows]) await window.closeForGood()
    this.emit('will-quit', preventable({}))
    await closeBrowser()
    this.emit('quit', preventable({}), 0)
    record('app.quit')
    process.exit(0)
  }
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}

function signal(pid: number, name: 'SIGUSR2'): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}

/** The bare one, for the double's own use. */
export const theApp = new App()
export const app = modelled('app', theApp)
