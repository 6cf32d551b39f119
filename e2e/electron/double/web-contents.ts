import { readFileSync } from 'node:fs'
import type { CDPSession, Page, Request, Route } from 'playwright'
import { theApp } from './app.ts'
import { newPage } from './browser.ts'
import { MAIN_WORLD_SCRIPT, preloadScript } from './context-bridge.ts'
import { onOrder, record, report } from './control.ts'
import { ipcEvents } from './ipc-main.ts'
import { modelled } from './modelled.ts'
import { ModelledEvents, preventable } from './modelled-events.ts'
import { defaultSession } from './native.ts'
import { answerScheme, fromChromium, playsMedia, toChromium } from './scheme.ts'

const EVENTS = [
  'did-start-navigation',
  'will-frame-navigate',
  'did-navigate',
  'did-finish-load',
  'render-process-gone',
  'context-menu',
]
/** The double never redirects and knows no webview tag: listening is right, and nothing ever comes. */
const NEVER_HERE = ['will-redirect', 'will-attach-webview']
/** Chromium shows 25 % to 500 %. */
const [MIN_ZOOM, MAX_ZOOM] = [Math.log(0.25) / Math.log(1.2), Math.log(5) / Math.log(1.2)]
const WORLD = 'parley-double-preload'

type OpenHandler = (details: { url: string }) => { action: 'deny' }

/** Electron's WebContents over a page in Chromium; its preload runs in an isolated world of that page. */
export class WebContents extends ModelledEvents {
  /** As the app sees it; senders of ipc are compared by identity. */
  readonly public: WebContents
  readonly mainFrame: { readonly url: string; isDestroyed(): boolean }
  readonly #preload: string
  #size: { width: number; height: number }
  readonly #page: { now?: Page; cdp?: CDPSession; world?: string; crashed: boolean } = { crashed: false }
  #url = ''
  #zoom = 0
  /** The app itself navigates: nobody asks it about that. */
  #loading = false
  #openHandler: OpenHandler = () => {
    throw new Error('A page opened a window and the app has no handler for it')
  }
  #whenClosed = () => {}
  #whenLaidOut = () => {}

  constructor(preload: string, size: { width: number; height: number }) {
    super('webContents', [...EVENTS, ...NEVER_HERE])
    this.#preload = preload
    this.#size = size
    this.public = modelled('webContents', this)
    const url = () => fromChromium(this.#page.now?.url() ?? '')
    this.mainFrame = modelled('webFrameMain', {
      get url() {
        return url()
      },
      isDestroyed: () => false,
    })
    theApp.emit('web-contents-created', preventable({}), this.public)
    current = this
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler
  }

  isDestroyed(): boolean {
    return this.#page.now?.isClosed() ?? false
  }

  isCrashed(): boolean {
    return this.#page.crashed
  }

  /** Messages to a document whose preload does not run yet are lost, as in Electron. */
  send(channel: string, ...args: unknown[]): void {
    const { cdp, world } = this.#page
    if (!cdp || !world) return
    const expression = `__doubleHear(${JSON.stringify(channel)}, ${JSON.stringify(args)})`
    void cdp.send('Runtime.evaluate', { uniqueContextId: world, expression }).catch(() => {})
  }

  get session() {
    return defaultSession
  }

  /** A level belongs to an address: before there is a document, it would be that of none. */
  setZoomLevel(level: number): void {
    if (!this.#page.now || this.#page.now.url() === 'about:blank')
      throw new Error('not modelled: zoom before there is a document')
    this.#zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, level))
    record('webContents.setZoomLevel', level)
    void this.#fit()
  }

  getZoomLevel(): number {
    return this.#zoom
  }

  replaceMisspelling(word: string): void {
    record('webContents.replaceMisspelling', word)
  }

  reload(): void {
    void this.load(this.#url)
  }

  /** Opens its page when there is none, or when the one there was has crashed. */
  async load(url: string): Promise<void> {
    this.#url = url
    if (!this.#page.now || this.#page.crashed) await this.#open()
    this.#loading = true
    try {
      await this.#page.now?.goto(toChromium(url))
    } finally {
      this.#loading = false
    }
    this.emit('did-finish-load')
  }

  onClosed(run: () => void): void {
    this.#whenClosed = run
  }

  /** The first layout of a document that has something to see. */
  onLaidOut(run: () => void): void {
    this.#whenLaidOut = run
  }

  resize({ width, height }: { readonly width: number; readonly height: number }): void {
    this.#size = { width, height }
    void this.#fit()
  }

  /** A page that is zoomed has less room: fewer pixels of its own. Letters stay as they are. */
  async #fit(): Promise<void> {
    const factor = 1.2 ** this.#zoom
    const size = { width: Math.round(this.#size.width / factor), height: Math.round(this.#size.height / factor) }
    // One that closes meanwhile needs no size.
    await this.#page.now?.setViewportSize(size).catch(() => {})
  }

  async close(): Promise<void> {
    await this.#page.now?.close()
  }

  async crash(): Promise<void> {
    // The command never answers: what would answer is gone.
    void this.#page.cdp?.send('Page.crash').catch(() => {})
  }

  /** A message as another sender would send it. */
  hear(channel: string, message: unknown, from: { sender?: unknown; senderFrame?: unknown } = {}): void {
    const event = { type: 'frame', sender: this.public, senderFrame: this.mainFrame, ...from }
    ipcEvents.emit(channel, modelled('ipcMainEvent', event), message)
  }

  async #open(): Promise<void> {
    const before = this.#page.now
    const page = await newPage()
    const cdp = await page.context().newCDPSession(page)
    Object.assign(this.#page, { now: page, cdp, world: undefined, crashed: false })
    page.on('console', (message) => {
      if (message.type() === 'error') report({ is: 'page-error', text: message.text() })
    })
    page.on('pageerror', (error) => report({ is: 'page-error', text: String(error) }))
    page.on('crash', () => {
      this.#page.crashed = true
      this.emit('render-process-gone', preventable({}), { reason: 'crashed', exitCode: 5 })
    })
    page.on('close', () => {
      if (this.#page.now === page) this.#whenClosed()
    })
    await this.#isolate(page, cdp)
    await page.route('**', (route) => this.#answer(route))
    await this.#fit()
    await before?.close()
  }

  async #isolate(page: Page, cdp: CDPSession): Promise<void> {
    // The opener tells of it, whatever the address is and before there is a window that could be gone too soon.
    cdp.on('Page.windowOpen', ({ url }) => this.#wantsWindow(fromChromium(url)))
    await cdp.send('Page.enable')
    await cdp.send('Page.setLifecycleEventsEnabled', { enabled: true })
    const { frameTree } = await cdp.send('Page.getFrameTree')
    cdp.on('Page.lifecycleEvent', ({ name, frameId }) => {
      if (name === 'firstContentfulPaint' && frameId === frameTree.frame.id && page === this.#page.now) this.#whenLaidOut()
    })
    cdp.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === WORLD && context.auxData?.frameId === frameTree.frame.id) this.#page.world = context.uniqueId
    })
    cdp.on('Runtime.executionContextsCleared', () => {
      delete this.#page.world
    })
    // At the commit, before anything of the new document runs; never for one that was prevented, nor within a document.
    cdp.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.emit('did-navigate', preventable({}), fromChromium(frame.url), 200, 'OK')
    })
    cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name !== '__doubleIpc' || page !== this.#page.now) return
      const { channel, args } = JSON.parse(payload) as { channel: string; args: unknown[] }
      this.hear(channel, args[0])
    })
    await cdp.send('Runtime.enable')
    await cdp.send('Runtime.addBinding', { name: '__doubleIpc', executionContextName: WORLD })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: MAIN_WORLD_SCRIPT })
    const source = preloadScript(readFileSync(this.#preload, 'utf8'))
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD })
  }

  #wantsWindow(url: string): void {
    const { action } = this.#openHandler({ url })
    if (action !== 'deny') throw new Error('not modelled: windows opened by a page')
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request()
    if (request.isNavigationRequest() && !this.#navigates(request)) return route.fulfill({ status: 204 })
    const answer = await answerScheme(request.url(), request.method(), request.headers(), request.postDataBuffer())
    // No network: whatever is not of the app's scheme fails, and the page's policy should have kept it from being asked for.
    if (!answer) return route.abort('blockedbyclient')
    if (request.resourceType() === 'media' && !playsMedia(request.url(), answer)) return route.abort('failed')
    await route.fulfill(answer)
  }

  /** Runs a navigation past the app; false when the app prevented it. */
  #navigates(request: Request): boolean {
    const isMainFrame = request.frame() === this.#page.now?.mainFrame()
    const details = { url: fromChromium(request.url()), isMainFrame, isSameDocument: false }
    // Told even of one that is then prevented: Electron's throttle runs once the navigation has started.
    this.emit('did-start-navigation', preventable(details))
    const event = preventable(details)
    if (!this.#loading) this.emit('will-frame-navigate', event)
    return !event.defaultPrevented
  }
}

/** The app has one window; orders are about the newest. */
let current: WebContents | undefined
export const newestContents = () => current

onOrder('list-ipc-channels', () => ipcEvents.eventNames())
onOrder('context-menu', ({ clicked }) => current?.emit('context-menu', preventable({}), clicked))
onOrder('crash-page', () => current?.crash())
onOrder('ipc', ({ from, channel, message }) => {
  const frame = (url: string | undefined) => modelled('webFrameMain', { url, isDestroyed: () => false })
  const senders = {
    page: {},
    iframe: { senderFrame: frame(current?.mainFrame.url) },
    'other-window': { sender: {} },
    'main-frame-elsewhere': { senderFrame: frame('https://example.com/') },
    // It navigated or went between sending and being heard.
    'gone-frame': { senderFrame: null },
    'disposed-frame': {
      senderFrame: modelled('webFrameMain', {
        get url(): string {
          throw new Error('Render frame was disposed before WebFrameMain could be accessed')
        },
        isDestroyed: () => true,
      }),
    },
  }
  current?.hear(channel, message, senders[from])
})
