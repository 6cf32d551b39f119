import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from 'playwright'
import { expect, it, onTestFinished } from 'vitest'
import { appPolicy } from '../../src-main/host/apps/app-domains.ts'
import { watchedPage } from '../../src-main/host/apps/view-watch.ts'
import { launchChromium } from '../shells/chromium.ts'

const SAYS = `<title></title><script>addEventListener('message', ({ data }) => {
  if (data.method === 'parley/escape') document.title += 'escape,'
  if (data.method !== 'parley/blocked') return
  for (const { what, name, times } of data.params.blocked) document.title += what + ':' + name + ':' + times + ','
})</script><iframe sandbox="allow-scripts allow-forms" src="/view"></iframe>`

/** A page of this HTML under the policy of a view, and what it was reported for by the browser. */
async function shown(html: string): Promise<{ page: Page; view: Frame; reports: string[] }> {
  const reports: string[] = []
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      request.on('data', (part) => reports.push(JSON.parse(String(part))['csp-report']['effective-directive']))
      response.writeHead(204).end()
      return
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (request.url === '/') response.end(SAYS)
    else response.setHeader('content-security-policy', appPolicy(undefined, '/blocked')).end(watchedPage(Buffer.from(html)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await launchChromium({})
  onTestFinished(async () => {
    await browser.close()
    server.close()
  })
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const view = page.frames()[1]
  if (!view) throw new Error('There is no view.')
  return { page, view, reports }
}

const told = async (page: Page) => (await page.title()).split(',').filter(Boolean)

it('a view’s page tells of each use of what its sandbox refuses, and does it all the same (APP-29)', async () => {
  const { page, view } = await shown('<p>a</p>')
  const came = await view.evaluate(async () => {
    const tried = (run: () => unknown) => {
      try {
        return String(run())
      } catch (error) {
        return (error as Error).name
      }
    }
    const late = (run: () => Promise<unknown>) => run().then(String, (error: Error) => error.name)
    return {
      open: [tried(() => open('https://a.example')), tried(() => open('https://b.example'))],
      dialogs: [tried(() => alert('a')), tried(() => confirm('a')), tried(() => prompt('a'))],
      storage: [tried(() => localStorage), tried(() => document.cookie), tried(() => indexedDB.open('a'))],
      files: [tried(() => caches), await late(() => navigator.storage.getDirectory())],
      workers: [tried(() => new SharedWorker('x.js')), tried(() => navigator.serviceWorker)],
      features: [
        await late(() => navigator.clipboard.readText()),
        await late(() => Notification.requestPermission()),
        await late(() => document.documentElement.requestFullscreen()),
        await late(() => navigator.mediaDevices.getUserMedia({ audio: true })),
      ],
    }
  })
  expect(came).toMatchObject({
    open: ['null', 'null'],
    storage: ['SecurityError', 'SecurityError', 'SecurityError'],
    files: ['SecurityError', 'SecurityError'],
    workers: ['SecurityError', 'SecurityError'],
  })
  await expect
    .poll(() => told(page))
    .toEqual(
      expect.arrayContaining([
        ...['window::2', 'dialog::3', 'worker::2', 'storage::5'],
        ...['feature:notifications:1', 'feature:fullscreen:1', 'feature:microphone:1', 'feature:clipboard-read:1'],
      ]),
    )
})

it('a view’s page tells of links that its sandbox does not follow, and not of those that it takes for itself (APP-29)', async () => {
  const { page, view } = await shown(
    `<a id="new" target="_blank" href="https://a.example">a</a><a id="top" target="_top" href="https://a.example">a</a>
    <a id="file" download href="data:,a">a</a><a id="own" target="_blank" href="https://a.example">a</a>
    <script>own.onclick = (event) => { event.preventDefault(); event.stopPropagation() }</script>`,
  )
  for (const link of ['#own', '#new', '#top', '#file']) await view.click(link)
  await expect.poll(async () => (await told(page)).sort()).toEqual(['download::1', 'top::1', 'window::1'])
})

it('a view’s form is its own to read, and sent nowhere, which the browser reports (APP-6)', async () => {
  const { view, reports } =
    await shown(`\uFEFF<!doctype html><form action="https://a.example/form"><input name="a"><button>Send</button></form>
    <script>addEventListener('submit', ({ target }) => { document.body.id = 'read-' + new FormData(target).get('a') })</script>`)
  expect(await view.evaluate(() => [document.compatMode, document.body.firstElementChild?.tagName])).toEqual([
    'CSS1Compat',
    'FORM',
  ])
  await view.fill('input', 'me')
  await view.click('button')
  await view.waitForSelector('#read-me')
  await expect.poll(() => reports).toEqual(['form-action'])
})

it('a view’s page tells of Escape, also when its own script takes the key (APP-13)', async () => {
  const { page, view } = await shown(`<button>a</button><script>
    addEventListener('keydown', (event) => { event.preventDefault(); event.stopImmediatePropagation() }, true)</script>`)
  await view.press('button', 'a')
  await view.press('button', 'Escape')
  await expect.poll(() => told(page)).toEqual(['escape'])
})

it.each([
  ['the standard mode', '\uFEFF<!-- a --> <!DOCTYPE html>', 'CSS1Compat'],
  ['the old mode of an old doctype', '<!doctype html public "-//W3C//DTD HTML 3.2 Final//EN">', 'BackCompat'],
  ['the old mode without a doctype', '', 'BackCompat'],
  ['the standard mode behind what is no page yet', '<?xml version="1.0"?><!--> <!-- --><!doctype html>', 'CSS1Compat'],
])('a view’s page is drawn in its own mode, and watched: %s', async (_mode, start, mode) => {
  const { page, view } = await shown(`${start}<p>a</p><script>open('https://a.example')</script>`)
  expect(await view.evaluate(() => [document.compatMode, document.body.firstElementChild?.tagName])).toEqual([mode, 'P'])
  await expect.poll(() => told(page)).toEqual(['window::1'])
})
