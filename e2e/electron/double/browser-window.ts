import { theApp } from './app.ts'
import { onOrder, record } from './control.ts'
import { modelled, onlyKeys } from './modelled.ts'
import { ModelledEvents, preventable } from './modelled-events.ts'
import { type OpenWindow, openWindows } from './open-windows.ts'
import { needsReady } from './readiness.ts'
import { WebContents } from './web-contents.ts'

interface Options {
  readonly width: number
  readonly height: number
  readonly webPreferences: Readonly<Record<string, unknown>> & { readonly preload: string }
}

const OPTIONS = ['title', 'width', 'height', 'minWidth', 'minHeight', 'x', 'y', 'show', 'backgroundColor', 'webPreferences']
/** The only page settings that the double stands for: a real isolated world, no Node in the page. */
const PREFERENCES = { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, spellcheck: true }

class Window extends ModelledEvents implements OpenWindow {
  readonly public: Window
  readonly webContents: WebContents
  readonly #contents: WebContents
  readonly #size: { width: number; height: number }
  #shown = false
  #focused = true
  #maximized = false
  #minimized = false
  #closed = false

  constructor(options: Options) {
    super('BrowserWindow', ['ready-to-show', 'show', 'close', 'closed', ...(process.platform === 'win32' ? ['session-end'] : [])])
    needsReady('BrowserWindow')
    onlyKeys('BrowserWindow', options, OPTIONS)
    const { preload, ...preferences } = options.webPreferences
    onlyKeys('webPreferences', preferences, Object.keys(PREFERENCES))
    for (const [name, value] of Object.entries(PREFERENCES)) {
      if (preferences[name] !== value) throw new Error(`not modelled: webPreferences.${name} other than ${value}`)
    }
    this.#size = { width: options.width, height: options.height }
    this.#contents = new WebContents(preload, this.#size)
    this.#contents.onClosed(() => this.#close())
    this.webContents = this.#contents.public
    this.public = modelled('BrowserWindow', this)
    openWindows.add(this)
    record('BrowserWindow', options)
    current = this
  }

  async loadURL(url: string): Promise<void> {
    await this.#contents.load(url)
    this.emit('ready-to-show')
    if (!this.#shown) throw new Error('The window was never shown')
  }

  show(): void {
    this.#shown = true
    record('window.show')
    this.emit('show')
  }

  focus(): void {
    this.#focused = true
    record('window.focus')
  }

  blur(): void {
    this.#focused = false
  }

  isFocused(): boolean {
    return this.#focused
  }

  isVisible(): boolean {
    return this.#shown && !this.#minimized
  }

  minimize(): void {
    this.#minimized = true
    this.#focused = false
  }

  restore(): void {
    this.#minimized = false
    record('window.restore')
  }

  isMinimized(): boolean {
    return this.#minimized
  }

  isDestroyed(): boolean {
    return this.#closed
  }

  /** Windows alone has it. */
  setOverlayIcon(image: { readonly path: string } | null, description: string): void {
    record('window.setOverlayIcon', image?.path, description)
  }

  maximize(): void {
    this.#maximized = true
  }

  isMaximized(): boolean {
    return this.#maximized
  }

  getNormalBounds() {
    return { x: 0, y: 0, ...this.#size }
  }

  /** The person's click on the window's ×, or a quit; resolves once it is gone, or with false where the app keeps it. */
  async close(): Promise<boolean> {
    const event = preventable({})
    this.emit('close', event)
    if (event.defaultPrevented) return false
    await this.#contents.close()
    this.#close()
    return true
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    openWindows.delete(this)
    this.emit('closed')
    // Quitting, Electron closes them and does not say so.
    if (openWindows.size === 0 && !theApp.quitting) theApp.emit('window-all-closed')
  }
}

let current: Window | undefined
onOrder('close-window', () => current?.close())
onOrder('blur-window', () => current?.blur())
/** Nothing comes after it: no before-quit, no close. */
onOrder('end-session', () => {
  current?.emit('session-end', preventable({ reasons: ['logoff'] }))
})
onOrder('minimize-window', () => current?.minimize())

/** `new BrowserWindow(…)` gives the guarded view of a window. */
export const BrowserWindow = new Proxy(Window, {
  construct: (_target, [options]: [Options]) => new Window(options).public,
  get(_target, property) {
    if (property === 'prototype') return Window.prototype
    throw new Error(`not modelled: BrowserWindow.${String(property)}`)
  },
})
