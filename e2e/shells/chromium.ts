import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright'

/** Debian's headless shell comes first, because it takes half the time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'msedge',
  'microsoft-edge',
]
const USUAL = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  '/snap/bin/chromium',
]

/** The browser that the tests use: $CHROMIUM, then one on PATH, then the usual places, then Playwright's own. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM
  if (named) return named
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const onPath = folders.flatMap((folder) => NAMES.map((name) => join(folder, name + suffix)))
  return [...onPath, ...USUAL, chromium.executablePath()].find(runnable)
}

/** Throws an Error that says how to get a browser. */
export function chromiumPath(): string {
  const found = findChromium()
  if (!found) {
    throw new Error('No Chromium found: run "apt-get install chromium" or "npx playwright install chromium", or set CHROMIUM')
  }
  return found
}

/** Features that Playwright turns off in every Chromium; a list of our own replaces its list. */
const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]
/** Pages that the browser loads for every window though none is visible, which is most of the cost of a window. */
const UNSEEN = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'SpareRendererForSitePerProcess']

/** `switches` are those of the app that shows the pages. */
export function launchChromium(switches: Readonly<Record<string, string>> = {}): Promise<Browser> {
  // The headless shell does not isolate frames without an origin in a process of their own, as a desktop browser does.
  const off = [...OFF_BY_PLAYWRIGHT, ...UNSEEN].join(',')
  const own = Object.entries(switches).map(([name, value]) => `--${name}=${value}`)
  const args = [`--disable-features=${off}`, '--site-per-process', ...own]
  return chromium.launch({ executablePath: chromiumPath(), args })
}

/** Finds a browser or installs one: as root on Debian from its packages, elsewhere Playwright's own. */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  const debian = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/etc/debian_version')
  if (debian) {
    console.log('No Chromium found: installing the Debian package "chromium-headless-shell".')
    run('apt-get', ['update', '-qq'])
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell', 'fonts-noto-color-emoji'])
  } else {
    console.log("No Chromium found: installing Playwright's.")
    run(join('node_modules', '.bin', 'playwright'), ['install', 'chromium'])
  }
  return chromiumPath()
}

function run(command: string, args: string[]): void {
  spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
