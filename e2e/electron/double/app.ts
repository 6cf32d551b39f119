import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { closeBrowser, openBrowser } from './browser.ts'
import { onOrder, record } from './control.ts'
import { modelled, onlyKeys } from './modelled.ts'
import { ModelledEvents, preventable } from './modelled-events.ts'
import { openWindows } from './open-windows.ts'
import { becomeReady } from './readiness.ts'

const EVENTS = [
  'ready',
  'before-quit',
  'will-quit',
  'quit',
  'window-all-closed',
  'activate',
  'second-instance',
  'open-url',
  'open-file',
  'web-contents-created',
]

/** Electron's `app`: one life from ready to quit, in Electron's order. */
class App extends ModelledEvents {
  /** Electron tells it by the name of its program. */
  readonly isPackaged = !/^electron(\.exe)?$/.test(basename(process.execPath))
  #startsAtLogin = false
  readonly #paths = new Map([['userData', join(tmpdir(), `parley-double-${process.pid}`)]])
  #ready: Promise<void> | undefined
  #quitting = false

  constructor() {
    super('app', EVENTS)
  }

  /** Read before the browser starts. */
  readonly commandLine = modelled('app.commandLine', {
    appendSwitch: (name: string, value: string) => {
      if (this.#ready) throw new Error(`the switch ${name} is set too late: the app is ready`)
      record('app.commandLine.appendSwitch', name, value)
    },
  })

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
    this.#ready ??= openBrowser().then(() => {
      becomeReady()
      this.emit('ready')
    })
    return this.#ready
  }

  /** A file with a pid, and a signal to the first instance, which finds what the second one sent in another: synchronous, as the real one is. */
  requestSingleInstanceLock(sent: Record<string, unknown>): boolean {
    const lock = join(this.getPath('userData'), 'instance.pid')
    const holder = Number(readOr(lock, '0'))
    const mail = join(this.getPath('userData'), 'instance.json')
    if (holder > 0 && isAlive(holder)) {
      writeFileSync(mail, JSON.stringify(sent))
      return !signal(holder, 'SIGUSR2')
    }
    writeFileSync(lock, String(process.pid))
    process.on('SIGUSR2', () => this.emit('second-instance', preventable({}), [], process.cwd(), JSON.parse(readOr(mail, '{}'))))
    process.on('exit', () => rmSync(lock, { force: true }))
    return true
  }

  /** A program of its own starts the app again once this one is gone; one in an AppImage is gone by then, too. */
  relaunch(options: { args?: readonly string[] } = {}): void {
    onlyKeys('app.relaunch', options, ['args'])
    if (process.env.APPIMAGE) throw new Error('not modelled: app.relaunch in an AppImage, whose files go with it')
    record('app.relaunch', options.args)
  }

  async resolveProxy(url: string): Promise<string> {
    if (!this.#ready) throw new Error('app.resolveProxy cannot be used before app is ready')
    record('app.resolveProxy', new URL(url).origin)
    return 'DIRECT'
  }

  getVersion(): string {
    return '0.0.1'
  }

  getName(): string {
    return 'Parley'
  }

  releaseSingleInstanceLock(): void {
    rmSync(join(this.getPath('userData'), 'instance.pid'), { force: true })
  }

  setAppUserModelId(id: string): void {
    record('app.setAppUserModelId', id)
  }

  setBadgeCount(count: number): boolean {
    record('app.setBadgeCount', count)
    return true
  }

  getPreferredSystemLanguages(): string[] {
    return ['de-DE', 'en-GB']
  }

  /** On Linux it runs `xdg-settings` and waits for it; an installed desktop entry says the same. */
  setAsDefaultProtocolClient(scheme: string): boolean {
    if (process.platform === 'linux') throw new Error('not modelled: app.setAsDefaultProtocolClient on Linux')
    record('app.setAsDefaultProtocolClient', scheme)
    return true
  }

  getLoginItemSettings() {
    if (process.platform === 'linux') throw new Error('not modelled: login items are not for Linux')
    return { openAtLogin: this.#startsAtLogin }
  }

  setLoginItemSettings({ openAtLogin, ...more }: { openAtLogin: boolean }): void {
    onlyKeys('login item', more, [])
    this.#startsAtLogin = openAtLogin
    record('app.setLoginItemSettings', { openAtLogin })
  }

  get quitting(): boolean {
    return this.#quitting
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
    // A window that keeps its page keeps the app.
    for (const window of [...openWindows]) {
      if (await window.close()) continue
      this.#quitting = false
      return
    }
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

function isAlive(pid: number): boolean {
  return signal(pid, 0)
}

function signal(pid: number, name: 'SIGUSR2' | 0): boolean {
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

onOrder('throw', ({ message }) => {
  setImmediate(() => {
    throw new Error(message)
  })
})
onOrder('open-url', ({ url }) => theApp.emit('open-url', preventable({}), url))
onOrder('open-file', ({ path }) => theApp.emit('open-file', preventable({}), path))
