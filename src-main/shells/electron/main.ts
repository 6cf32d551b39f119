import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { app, type BrowserWindow, dialog, Menu, session } from 'electron'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { WindowOrder } from '../../../src-shared/contract/channel.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { UpdateState } from '../../../src-shared/contract/events.ts'
import type { Settings } from '../../../src-shared/contract/settings.ts'
import { serveRenderer } from '../../bridge/renderer-link.ts'
import type { News } from '../../host/core/platform.ts'
import { BlobLinks } from '../blob-links.ts'
import { type OpenHost, openHostOrAsk } from '../open-host.ts'
import { readShellOptions, withoutPaths } from '../options.ts'
import { callsAtQuit } from '../quit-notice.ts'
import { damagedBox, START } from './damaged-box.ts'
import { appMenu } from './desktop/app-menu.ts'
import { arrivalsOf, beforeLink, type DesktopArrivals, readArrivals } from './desktop/arrivals.ts'
import { showBadge } from './desktop/badge.ts'
import { LINK_SCHEME, readDeepLink } from './desktop/deep-link.ts'
import { followHost } from './desktop/follow-host.ts'
import { LastWindow } from './desktop/last-window.ts'
import { Notifier } from './desktop/notifier.ts'
import { OpenedFiles } from './desktop/opened-files.ts'
import { fetchNoDictionaries } from './desktop/system-settings.ts'
import type { TrayAct } from './desktop/tray-menu.ts'
import { WindowOrders } from './desktop/window-orders.ts'
import { electronPlatform } from './electron-platform.ts'
import { registerPageScheme, servePageScheme } from './page-scheme.ts'
import { confinePages, denyPermissions, openPageWindow } from './page-window.ts'
import { QUIT_ANYWAY, quitBox } from './quit-box.ts'
import { loadUpdates } from './updates/load-updates.ts'
import { VIEW_SWITCHES } from './view-switches.ts'

/** The exit code by which `npm start` knows that the person has seen the reason. */
const REFUSED = 3
/** A Mac colours its icon itself, Windows picks one of several sizes. */
const TRAY_ICONS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'trayTemplate.png', win32: 'tray.ico' }
/** The most links and files to keep before there is a host. */
const MAX_EARLY = 20
const out = resolve(import.meta.dirname, '..')
const clock = systemClock
const system = { os: process.platform, packaged: app.isPackaged }
const argv = process.argv.slice(1)
let window: BrowserWindow | undefined
/** The window has nothing to show yet; it shows itself as soon as it has. */
let loading = false
let opened: OpenHost | undefined
let ending = false
endWithFaults()
const options = readOptions()
// The first argument of the sources is their own path.
const came = arrivalsOf(argv, options.paths.slice(system.packaged ? 0 : 1), process.cwd())
const orders = new WindowOrders()
const files = new OpenedFiles()
const notifier = new Notifier({
  clock,
  host: () => opened?.host,
  inFront: () => window?.isFocused() ?? false,
  open: (about) => showWindow(...orderFor(about)),
})
let early: DesktopArrivals[] = [came]
/** True when the system or a restart ends the app, so that nobody answers. */
let unasked = false

// Each data folder is an instance of its own. Chromium's data has a subfolder, since deleting it loses the key of all secrets.
app.setPath('userData', join(options.folder, 'electron'))
// Windows only shows notifications of apps that it knows by a shortcut or their program.
if (system.os === 'win32') app.setAppUserModelId(system.packaged ? 'org.parley.app' : process.execPath)
registerPageScheme()
confinePages()
for (const [name, value] of Object.entries(VIEW_SWITCHES)) app.commandLine.appendSwitch(name, value)

if (app.requestSingleInstanceLock({ ...came })) {
  // A Mac sends these even before the app is ready.
  app.on('open-url', (event, link) => {
    event.preventDefault()
    arrive({ link, files: [] })
  })
  app.on('open-file', (event, file) => {
    event.preventDefault()
    arrive({ files: [file] })
  })
  app.on('second-instance', (_event, _argv, _folder, sent) => arrive(readArrivals(sent) ?? { files: [] }))
  app.on('activate', () => showWindow())
  endHostBeforeQuit()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      unasked = true
      app.quit()
    })
  }
  app.whenReady().then(start).catch(refuse)
} else {
  console.log('Parley is running already; its window comes to the front.')
  app.exit(0)
}

async function start(): Promise<void> {
  // From here on `npm start` waits without limit, since a key store may ask the person.
  console.log('Parley is starting.')
  // Before anything else uses the session, which then begins to fetch dictionaries.
  fetchNoDictionaries(session.defaultSession, system.os)
  // An AppImage adds it when its test for user namespaces fails.
  if (argv.includes('--no-sandbox')) {
    throw new Error(
      'its sandbox is switched off (--no-sandbox). Install the .deb package instead of the AppImage, or allow unprivileged user namespaces.',
    )
  }
  const links = new BlobLinks()
  const updates = await loadUpdates({ ...system, onState: showUpdate, ready: readyForUpdate })
  const platform = await electronPlatform(links, { window: windowToAskIn, notifier, system, updates, restart })
  // Without a host there is no window for the question.
  opened = await openHostOrAsk(options.folder, platform, clock, async (asked) => {
    console.log(`${asked.title}. Parley asks what to do.`)
    return (await dialog.showMessageBox(damagedBox(asked))).response === START
  })
  const { host } = opened
  servePageScheme(join(out, 'renderer'), links, {
    blob: (blob) => host.storage.blobs.read(blob),
    fileOf: (blob) => host.backups.fileOf(blob),
    opened: (token) => files.read(token),
    apps: host.apps,
  })
  denyPermissions()
  // Not for the sources, which would register Electron's own program. On Linux the desktop entry does it.
  if (system.packaged && system.os !== 'linux') app.setAsDefaultProtocolClient(LINK_SCHEME)
  const show = (order: WindowOrder) => showWindow(order)
  const setMenu = ({ shortcuts: chosen }: Settings) => {
    const menu = appMenu({ os: system.os, chosen, updates: updates !== undefined, show })
    Menu.setApplicationMenu(Menu.buildFromTemplate(menu))
  }
  setMenu(host.state.snapshot.settings)
  const icon = join(import.meta.dirname, TRAY_ICONS[system.os] ?? 'tray.png')
  followHost(host, { clock, system, notifier, icon, act: actOnTray, showBadge: badge, setMenu })
  const last = new LastWindow({
    host,
    notifier,
    mac: system.os === 'darwin',
    isOpen: () => window !== undefined,
    quit: () => app.quit(),
  })
  app.on('window-all-closed', () => last.closed())
  if (host.state.snapshot.settings.checkUpdates) updates?.check()
  for (const one of early) arrive(one)
  early = []
}

/** Brings the window to the front, or opens one if the host runs, and gives it orders. */
function showWindow(...shown: readonly WindowOrder[]): void {
  for (const order of shown) orders.give(order)
  if (window) {
    if (loading) return
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
    return
  }
  const host = opened?.host
  if (!host) return
  window = openPageWindow(join(out, 'preload', 'preload.cjs'), (channel) => {
    const end = serveRenderer(orders.over(channel), host, { clock })
    return () => {
      orders.end()
      end()
    }
  })
  badge(host.state.snapshot.interactions.length)
  loading = true
  window.once('ready-to-show', () => {
    loading = false
    console.log('Parley is open.')
  })
  window.on('closed', () => {
    window = undefined
  })
  // On Windows this replaces before-quit when the session ends.
  if (system.os === 'win32') window.on('session-end', () => void opened?.end())
}

/** A visible window for dialogs: without one, a dialog on a Mac blocks the whole app and cannot be closed. */
async function windowToAskIn(): Promise<BrowserWindow> {
  if (!window) showWindow()
  const on = window
  if (on && !on.isVisible()) {
    await new Promise<void>((resolve) => {
      on.once('show', () => resolve())
      on.once('closed', () => resolve())
    })
  }
  if (!on || on.isDestroyed()) throw new HostError('unavailable', 'There is no window for the question. Open one and try again.')
  return on
}

function badge(questions: number): void {
  showBadge(questions, window, { os: system.os, dot: join(import.meta.dirname, 'badge.png') })
}

/** Shows a link or files. Nothing is added, started or sent. */
function arrive(arrivals: DesktopArrivals): void {
  const host = opened?.host
  if (!host) {
    early = [...early, arrivals].slice(-MAX_EARLY)
    return
  }
  showWindow()
  if (arrivals.link !== undefined) followLink(arrivals.link, host)
  if (arrivals.files.length > 0) void openFiles(arrivals.files)
}

function followLink(link: string, { state }: OpenHost['host']): void {
  const read = readDeepLink(link)
  if (read.is === 'review') orders.give(read)
  else if (read.is === 'conversation') orders.give({ is: 'go', section: 'conversations', id: read.id })
  else state.notice('warning', { code: 'link-refused', what: `A link was not opened. ${read.why}` }, clock.now())
}

async function openFiles(paths: readonly string[]): Promise<void> {
  const links = await Promise.all(paths.map((path) => files.link(path)))
  const there = links.filter((link) => link !== undefined)
  if (there.length > 0) orders.give({ is: 'files', files: there })
}

function orderFor(about: News['about']): WindowOrder[] {
  if (!about) return []
  if (about.is === 'conversation') return [{ is: 'go', section: 'conversations', id: about.id }]
  return [{ is: 'question', id: about.interaction.id }]
}

function actOnTray(act: TrayAct): void {
  if (act.is === 'quit') app.quit()
  else if (act.is === 'stop') void opened?.host.conversations.open(act.id, (one) => one.cancel())
  else showWindow(...(act.order ? [act.order] : []))
}

function showUpdate(update: UpdateState): void {
  const state = opened?.host.state
  const desktop = state?.snapshot.desktop
  if (desktop) state.emit({ type: 'desktop.changed', desktop: { ...desktop, update } })
}

/** Asks outside of the page, which must not decide. Servers are stopped first, since the new Parley starts before this one exits. */
async function readyForUpdate(version: string): Promise<boolean> {
  const box = { type: 'question' as const, message: `Install Parley ${version}?`, detail: 'Parley will restart.' }
  const options = { ...box, title: 'Parley', buttons: ['Not now', 'Install'], defaultId: 0, cancelId: 0, noLink: true }
  const { response } = await dialog.showMessageBox(await windowToAskIn(), options)
  if (response !== 1) return false
  await opened?.end()
  app.releaseSingleInstanceLock()
  return true
}

/** Stops servers before the app quits; the wait is bounded. */
function endHostBeforeQuit(): void {
  let ended = false
  let waiting = false
  app.on('before-quit', (event) => {
    if (ended || !opened) return
    event.preventDefault()
    if (waiting) return
    waiting = true
    void mayQuit(opened.host).then(async (may) => {
      waiting = may
      if (!may) return
      await opened?.end()
      ended = true
      app.quit()
    })
  })
}

/** Says which calls in the background are left: the window asks, and without one a notification tells (TASK-34). */
async function mayQuit({ state }: OpenHost['host']): Promise<boolean> {
  const calls = callsAtQuit(state.snapshot)
  if (unasked || calls.length === 0) return true
  if (window?.isVisible()) return (await dialog.showMessageBox(window, quitBox(calls))).response === QUIT_ANYWAY
  notifier.tell({ title: 'Parley quit while calls were running', body: calls.join(' ') })
  return true
}

/** Restarts with the same switches, without the link or files. */
function restart(): void {
  unasked = true
  const args = withoutPaths(beforeLink(argv), { keepFirst: !system.packaged })
  const image = process.env.APPIMAGE
  if (image === undefined) {
    app.relaunch({ args })
  } else {
    // An AppImage's files, Electron's relauncher included, vanish with this process.
    app.once('will-quit', () => {
      app.releaseSingleInstanceLock()
      spawn(image, args, { detached: true, stdio: 'ignore' }).unref()
    })
  }
  app.quit()
}

function readOptions(): ReturnType<typeof readShellOptions> {
  try {
    return readShellOptions(beforeLink(argv), { lenient: true })
  } catch (error) {
    refuse(error)
    throw error
  }
}

/** An uncaught error leaves an unknown state, so Parley reports it and quits. */
function endWithFaults(): void {
  // The terminal may be closed.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.on('uncaughtException', (error) => {
    if (ending) return
    ending = true
    console.error(error)
    void (opened?.end() ?? Promise.resolve()).then(() => {
      dialog.showErrorBox(
        'Parley',
        `Parley has to close because of an internal error: ${error.message}\n\nStart it again. Your data was kept.`,
      )
      app.exit(1)
    })
  })
}

function refuse(error: unknown): void {
  ending = true
  const message = `Parley did not start: ${error instanceof Error ? error.message : String(error)}`
  console.error(message)
  // A packaged app has no terminal.
  if (app.isPackaged) dialog.showErrorBox('Parley', message)
  app.exit(REFUSED)
}
