import { join } from 'node:path'
import { app, BrowserWindow, clipboard, Menu, nativeTheme, type Session, screen, session } from 'electron'
import { type Clock, systemClock } from '../../../src-shared/base/clock.ts'
import type { HostChannel } from '../../../src-shared/contract/channel.ts'
import { contextMenu } from './desktop/context-menu.ts'
import { openOutside } from './electron-platform.ts'
import { ipcChannel } from './ipc-channel.ts'
import { FRAME_URLS, PAGE_ORIGIN, PAGE_URL } from './page-scheme.ts'
import { MIN_SIZE, readWindowState, writeWindowState } from './window-state.ts'

/** More crashes than this within a minute, and reloading again would only flicker. */
const MAX_CRASHES = 3

/** As in `src-renderer/ui/theme.css`. */
const GROUND = { light: '#ffffff', dark: '#17181b' }

/** Opens the window on our page. `attach` serves each document it loads and returns what to call when that document is gone. */
export function openPageWindow(preload: string, attach: (channel: HostChannel) => () => void): BrowserWindow {
  const stateFile = join(app.getPath('userData'), 'window.json')
  const state = readWindowState(
    stateFile,
    screen.getAllDisplays().map((display) => display.workArea),
  )
  const window = new BrowserWindow({
    title: 'Parley',
    width: state.width,
    height: state.height,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    ...state.position,
    show: false,
    // Until the page has drawn itself, which knows better: a white window would flash in the dark.
    backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // The session says whether anything is checked.
      spellcheck: true,
    },
  })
  window.once('ready-to-show', () => {
    window.webContents.setZoomLevel(state.zoom)
    // Earlier, it would show a window with nothing in it.
    if (state.maximized) window.maximize()
    window.show()
  })
  window.on('close', () => {
    writeWindowState(stateFile, window.getNormalBounds(), {
      maximized: window.isMaximized(),
      zoom: window.webContents.getZoomLevel(),
    })
  })
  showContextMenu(window)
  serveDocuments(window, attach)
  reloadAfterCrash(window, systemClock)
  void window.loadURL(PAGE_URL)
  return window
}

function showContextMenu(window: BrowserWindow): void {
  const { webContents } = window
  webContents.on('context-menu', (_event, clicked) => {
    const items = contextMenu(clicked, {
      replace: (word) => webContents.replaceMisspelling(word),
      learn: (word) => void webContents.session.addWordToSpellCheckerDictionary(word),
      copyLink: (url) =>
        void clipboard.writeText(url).catch((error: unknown) => console.error(`No link was copied: ${String(error)}`)),
    })
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
  })
}

/** Every page of the app stays where it is: no navigation, no new windows, no embedded browsers, no frame but those of ours for strangers' content. */
export function confinePages(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-frame-navigate', (event) => {
      // The page may reload itself, wherever its fragment points.
      const stays = event.isMainFrame ? event.url.split('#')[0] === PAGE_URL : FRAME_URLS.includes(event.url)
      if (!stays) event.preventDefault()
    })
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url).catch(() => {}) // A link that is not opened stays where it is.
      return { action: 'deny' }
    })
  })
}

export function denyPermissions(of: Session = session.defaultSession): void {
  // Copying text is all that a page of ours asks for.
  const allowed = (permission: string, origin: string) =>
    permission === 'clipboard-sanitized-write' && (origin === PAGE_ORIGIN || origin.startsWith(`${PAGE_ORIGIN}/`))
  of.setPermissionRequestHandler((_contents, permission, answer, details) => answer(allowed(permission, details.requestingUrl)))
  of.setPermissionCheckHandler((_contents, permission, origin) => allowed(permission, origin))
  of.setDevicePermissionHandler(() => false)
}

/**
 * A channel for each document: after a reload the host must not talk to the page that was. From its commit on, since a navigation
 * that starts may be prevented or end as a download, and the page then stays.
 */
function serveDocuments(window: BrowserWindow, attach: (channel: HostChannel) => () => void): void {
  let end = () => {}
  window.webContents.on('did-navigate', () => {
    end()
    const channel = ipcChannel(window.webContents)
    const detach = attach(channel)
    end = () => {
      detach()
      channel.close()
    }
  })
  window.on('closed', () => end())
}

/** Questions and drafts are the host's, so a new page shows them again. */
function reloadAfterCrash(window: BrowserWindow, clock: Clock): void {
  let crashes: number[] = []
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return
    crashes = [...crashes.filter((at) => at > clock.now() - 60_000), clock.now()]
    if (crashes.length <= MAX_CRASHES) window.webContents.reload()
    else console.error(`Parley's page crashed ${crashes.length} times within a minute (${reason}); it is left as it is.`)
  })
}
