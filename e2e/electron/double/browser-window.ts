import { theApp } from './app.ts'
import { onOrder, record } from './control.ts'
import { type Bounds, workAreas } from './displays.ts'
import { modelled, onlyKeys } from './modelled.ts'
import { ModelledEvents, preventable } from './modelled-events.ts'
import { type OpenWindow, openWindows } from './open-windows.ts'
import { needsReady } from './readiness.ts'
import { WebContents } from './web-contents.ts'

interface Options {
  readonly width: number
  readonly height: number
  readonly minWidth: number
  readonly minHeight: number
  readonly x?: number
  readonly y?: number
  readonly show: false
  readonly webPreferences: Readonly<Record<string, unknown>> & { readonly preload: string }
}

const OPTIONS = ['title', 'width', 'height', 'minWidth', 'minHeight', 'x', 'y', 'show', 'backgroundColor', 'webPreferences']
/** The only page settings that the double stands for: a real isolated world, no Node in the page. */
const PREFERENCES = { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, spellcheck: true }

/** A window of the system without a frame: its page is as large as the window. */
class Window extends ModelledEvents implements OpenWindow {
  readonly public: Window
  readonly webContents: WebContents
  readonly #contents: WebContents
  /** Its place and size while it is neither maximised nor minimised. */
  #normal: Bounds
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
    if (options.show !== false) throw new Error('not modelled: a window that is shown before it has anything to show')
    this.#normal = placed(options)
    this.#contents = new WebContents(preload, this.#normal)
    this.#contents.onClosed(() => this.#close())
    this.#contents.onLaidOut(() => this.#ready())
    this.webContents = this.#contents.public
    this.public = modelled('BrowserWindow', this)
    openWindows.add(this)
    record('BrowserWindow', options)
    current = this
  }

  async loadURL(url: string): Promise<void> {
    await this.#contents.load(url)
  }

  show(): void {
    record('window.show')
    this.#reveal()
  }

  #reveal(): void {
    if (this.#shown) return
    this.#shown = true
    this.emit('show')
  }

  /** Once a document has something to show, which may be before all of it is loaded or after; for each document, as in Electron. */
  #ready(): void {
    if (this.#closed) return
    record('window is ready to show')
    this.emit('ready-to-show')
    if (!this.#shown) throw new Error('The window was never shown')
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

  /** Fills the display that it is on; one that was not shown is. */
  maximize(): void {
    this.#maximized = true
    record('window.maximize')
    this.#contents.resize(workAreaOf(this.#normal))
    this.#reveal()
  }

  isMaximized(): boolean {
    return this.#maximized
  }

  getNormalBounds(): Bounds {
    return { ...this.#normal }
  }

  /** The person moves it, or drags its edges. */
  move(bounds: Bounds): void {
    if (this.#maximized) throw new Error('not modelled: dragging a window that is maximised')
    this.#normal = { ...bounds }
    this.#contents.resize(bounds)
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

function placed({ width, height, minWidth, minHeight, x, y }: Options): Bounds {
  const size = { width: Math.max(width, minWidth), height: Math.max(height, minHeight) }
  if (x !== undefined && y !== undefined) return { x, y, ...size }
  const [primary] = workAreas()
  const centred = (start: number, room: number, length: number) => start + Math.round((room - length) / 2)
  return { x: centred(primary.x, primary.width, size.width), y: centred(primary.y, primary.height, size.height), ...size }
}

/** Of the display that shows most of it. */
function workAreaOf(window: Bounds): Bounds {
  const shared = (start: number, length: number, otherStart: number, otherLength: number) =>
    Math.max(0, Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart))
  const on = (area: Bounds) =>
    shared(window.x, window.width, area.x, area.width) * shared(window.y, window.height, area.y, area.height)
  return workAreas().reduce((best, area) => (on(area) > on(best) ? area : best))
}

let current: Window | undefined
onOrder('close-window', () => current?.close())
onOrder('blur-window', () => current?.blur())
/** Nothing comes after it: no before-quit, no close. */
onOrder('end-session', () => {
  current?.emit('session-end', preventable({ reasons: ['logoff'] }))
})
onOrder('minimize-window', () => current?.minimize())
onOrder('maximize-window', () => current?.maximize())
onOrder('move-window', ({ bounds }) => current?.move(bounds))

/** `new BrowserWindow(…)` gives the guarded view of a window. */
export const BrowserWindow = new Proxy(Window, {
  construct: (_target, [options]: [Options]) => new Window(options).public,
  get(_target, property) {
    if (property === 'prototype') return Window.prototype
    throw new Error(`not modelled: BrowserWindow.${String(property)}`)
  },
})
