import { join } from 'node:path'
import { app, BrowserWindow, clipboard, Menu, nativeTheme, type Session, screen, session } from 'electron'
import { type Clock, systemClock } from '../../../src-shared/base/clock.ts'
import type { HostChannel } from '../../../src-shared/contract/channel.ts'
import { contextMenu } from './desktop/context-menu.ts'
import { openOutside } from './electron-platform.ts'
import { ipcChannel } from './ipc-channel.ts'
import { mayEmbed, PAGE_URL } from './page-scheme.ts'
import { MIN_SIZE, readWindowState, writeWindowState } from './window-state.ts'

/** After more crashes within a minute the page is not reloaded, which would only flicker. */
const MAX_CRASHES = 3

/** As in `src-renderer/ui/theme.css`. */
const GROUND = { light: '#ffffff', dark: '#17181b' }

/** Opens a window with our page. `attach` serves each document and returns its cleanup. */
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
    // Shown until the page is drawn: a white window would flash in dark mode.
    backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // The session turns it on and off.
      spellcheck: true,
    },
  })
  window.once('ready-to-show', () => {
    window.webContents.setZoomLevel(state.zoom)
    // Maximizing earlier would show an empty window.
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

/** Forbids navigation, new windows, embedded browsers, and frames other than ours. */
export function confinePages(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-frame-navigate', (event) => {
      // The page may reload itself with any fragment.
      const stays = event.isMainFrame ? event.url.split('#')[0] === PAGE_URL : mayEmbed(event.url)
      if (!stays) event.preventDefault()
    })
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url).catch(() => {}) // A refused link does nothing.
      return { action: 'deny' }
    })
  })
}

interface PermissionDetails {
  readonly requestingUrl?: string
  readonly isMainFrame: boolean
}

export function denyPermissions(of: Session = session.defaultSession): void {
  // Our page only needs to copy text. Views of servers and our own frames lie under its origin, too, and need nothing.
  const allowed = (permission: string, { requestingUrl = '', isMainFrame }: PermissionDetails) =>
    permission === 'clipboard-sanitized-write' && isMainFrame && requestingUrl.split('#')[0] === PAGE_URL
  of.setPermissionRequestHandler((_contents, permission, answer, details) => answer(allowed(permission, details)))
  of.setPermissionCheckHandler((_contents, permission, _origin, details) => allowed(permission, details))
  of.setDevicePermissionHandler(() => false)
}

/**
 * Each document gets a channel of its own, so that after a reload the host does not talk to the old page. Made when the navigation
 * commits: before, it may still be prevented or become a download.
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

/** A new page shows all questions and drafts again, which the host keeps. */
function reloadAfterCrash(window: BrowserWindow, clock: Clock): void {
  let crashes: number[] = []
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return
    crashes = [...crashes.filter((at) => at > clock.now() - 60_000), clock.now()]
    if (crashes.length <= MAX_CRASHES) window.webContents.reload()
    else console.error(`Parley's page crashed ${crashes.length} times within a minute (${reason}); it is not reloaded.`)
  })
}
