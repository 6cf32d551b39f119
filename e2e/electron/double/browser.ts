import { type BrowserContext, chromium, type Page } from 'playwright'

let opened: BrowserContext | undefined
let expectsPage = false

/** Opens a context in the browser of the test that started the app; nothing that the app keeps lies in it. */
export async function openBrowser(): Promise<void> {
  const endpoint = process.env.PARLEY_DOUBLE_BROWSER
  if (!endpoint) throw new Error('PARLEY_DOUBLE_BROWSER is not set: the double needs the address of a browser')
  const browser = await chromium.connect(endpoint)
  opened = await browser.newContext({ viewport: null, reducedMotion: 'reduce' })
  // A window that a page opened: Electron would not have made it, so it loads nothing and closes.
  await opened.route('**', (route) => route.abort('blockedbyclient'))
  opened.on('page', (page) => {
    if (!expectsPage) void page.close()
  })
}

/** A page for a window of the app. */
export async function newPage(): Promise<Page> {
  if (!opened) throw new Error('The app is not ready: no window can open yet')
  expectsPage = true
  try {
    return await opened.newPage()
  } finally {
    expectsPage = false
  }
}

export async function closeBrowser(): Promise<void> {
  await opened?.close().catch(() => {})
}
