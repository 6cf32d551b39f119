import { join, resolve } from 'node:path'
import { app, type BrowserWindow, dialog } from 'electron'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { serveRenderer } from '../../bridge/renderer-link.ts'
import { BlobLinks } from '../blob-links.ts'
import { type OpenHost, openHost } from '../open-host.ts'
import { readShellOptions } from '../options.ts'
import { electronPlatform } from './electron-platform.ts'
import { installMenu } from './menu.ts'
import { registerPageScheme, servePageScheme } from './page-scheme.ts'
import { confinePages, denyPermissions, openPageWindow } from './page-window.ts'

/** Tells `npm start` that the person knows why nothing opened. */
const REFUSED = 3
const out = resolve(import.meta.dirname, '..')
const clock = systemClock
const options = readShellOptions(process.argv.slice(1), { lenient: true })
let window: BrowserWindow | undefined
let opened: OpenHost | undefined

// A folder of one's own is an instance of one's own.
if (options.ownFolder) app.setPath('userData', join(options.folder, 'electron'))
// Windows shows notifications only of apps that say who they are.
if (process.platform === 'win32') app.setAppUserModelId('org.parley.app')
registerPageScheme()
confinePages()

if (app.requestSingleInstanceLock()) {
  app.on('second-instance', () => showWindow())
  app.on('activate', () => showWindow())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  endHostBeforeQuit()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit())
  app.whenReady().then(start).catch(refuse)
} else {
  console.log('Parley runs already; its window comes to the front.')
  app.exit(0)
}

async function start(): Promise<void> {
  const links = new BlobLinks()
  const platform = await electronPlatform(links, { window: () => window, started: () => opened !== undefined })
  opened = await openHost(options.folder, platform, clock)
  const { host } = opened
  servePageScheme(join(out, 'renderer'), links, (blob) => host.storage.blobs.read(blob))
  denyPermissions()
  installMenu(process.platform)
  showWindow()
}

/** Brings the window to the front; opens one when there is none and the host is up. */
function showWindow(): void {
  if (window) {
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
    return
  }
  const host = opened?.host
  if (!host) return
  window = openPageWindow(join(out, 'preload', 'preload.cjs'), (channel) => serveRenderer(channel, host, { clock }))
  window.once('ready-to-show', () => console.log('Parley is open.'))
  window.on('closed', () => {
    window = undefined
  })
}

/** Servers are stopped before the app goes; the wait has its own bound. */
function endHostBeforeQuit(): void {
  let ended = false
  let ending = false
  app.on('before-quit', (event) => {
    if (ended || !opened) return
    event.preventDefault()
    if (ending) return
    ending = true
    void opened.end().then(() => {
      ended = true
      app.quit()
    })
  })
}

function refuse(error: unknown): void {
  const message = `Parley did not start: ${error instanceof Error ? error.message : String(error)}`
  console.error(message)
  // A packaged app has no terminal to say it in.
  if (app.isPackaged) dialog.showErrorBox('Parley', message)
  app.exit(REFUSED)
}
