import type { Page } from 'playwright'
import { expect } from '../shells/shell-test.ts'
import { watchPage } from '../shells/watch-page.ts'
import { frame, openPaper, pdfFrame, sheet, test, viewer } from './pdf-steps.ts'

/** Effects of a file outside of its frame. The frame and the file are loaded by the page, the workers are the frame's own. */
const watch = (page: Page) =>
  watchPage(
    page,
    ({ protocol, pathname }) =>
      protocol === 'blob:' || pathname === '/pdf/index.html' || pathname.startsWith('/blob/') || pathname.startsWith('/assets/'),
  )

test('a PDF that wants to run, open, load and send does none of it (SEC-19)', async ({ page, canary }) => {
  const seen = watch(page)
  await openPaper(page, 'acts')
  await expect(sheet(page, 1).getByText('It does nothing')).toBeAttached()
  await expect(sheet(page, 1)).toHaveAttribute('aria-busy', 'false')
  const links = frame(page).locator('.page-link')
  const names = await links.evaluateAll((all) => all.map((link) => link.ariaLabel ?? ''))
  expect(names[0]).toBe('Link: https://example.com/manual')
  // Links that look like web addresses are a question and no more; programs, forms and scripts are nothing at all.
  for (const name of names) expect(name).toMatch(/^Link: https?:\/\//)
  const question = page.getByRole('dialog', { name: 'Open this link?' })
  for (const [n, name] of names.entries()) {
    await links.nth(n).click()
    await expect(question).toContainText(name.slice('Link: '.length))
    await question.getByRole('button', { name: 'Cancel' }).click()
  }
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
  expect(seen).toEqual([])
  expect(canary.asked).toEqual([])
  expect(page.context().pages()).toHaveLength(1)
})

test('the frame of a PDF has no origin: it reaches no bridge, no storage, no parent, no network (ARCH-06, SEC-19)', async ({
  shell,
  page,
  canary,
}) => {
  shell.forgivePageErrors()
  await openPaper(page, 'report')
  await expect(sheet(page, 1).getByText('Quarterly report')).toBeAttached()
  const inner = pdfFrame(page)
  const reached = await inner?.evaluate(async (url) => {
    const tried = async (what: () => unknown) => {
      try {
        await what()
        return 'reached'
      } catch {
        return 'refused'
      }
    }
    return {
      origin,
      bridge: 'parleyChannel' in window,
      parent: await tried(() => parent.document.body),
      bridgeOfParent: await tried(() => Reflect.get(parent, 'parleyChannel')),
      storage: await tried(() => sessionStorage.length),
      network: await tried(() => fetch(url, { mode: 'no-cors' })),
      own: await tried(() => fetch('/session', { method: 'POST', mode: 'no-cors' })),
      socket: await tried(
        () =>
          new Promise((resolve, reject) => {
            const socket = new WebSocket(`ws://${location.host}/channel`)
            socket.onopen = resolve
            socket.onerror = reject
          }),
      ),
      eval: await tried(() => new Function('return 1')()),
      window: window.open(url) === null ? 'refused' : 'reached',
    }
  }, canary.url)
  expect(reached).toEqual({
    origin: 'null',
    bridge: false,
    parent: 'refused',
    bridgeOfParent: 'refused',
    storage: 'refused',
    network: 'refused',
    own: 'refused',
    socket: 'refused',
    eval: 'refused',
    window: 'refused',
  })
  expect(canary.asked).toEqual([])
  expect(page.context().pages()).toHaveLength(1)
  // The browser's own word for each refusal above.
  await expect.poll(() => shell.pageErrors.length).toBeGreaterThan(0)
})

test('the frame of a PDF opens no other address, and accepts no other document', async ({ shell, page, canary }) => {
  shell.forgivePageErrors()
  await openPaper(page, 'report')
  await expect(sheet(page, 1).getByText('Quarterly report')).toBeAttached()
  const inner = pdfFrame(page)
  await inner?.evaluate((url) => {
    const nested = document.createElement('iframe')
    nested.src = '/index.html'
    document.body.append(nested)
    const away = document.createElement('a')
    away.href = url
    document.body.append(away)
    away.click()
  }, canary.url)
  await page.evaluate(
    (url) =>
      new Promise<void>((resolve) => {
        const foreign = document.createElement('iframe')
        foreign.src = url
        foreign.onload = () => resolve()
        document.body.append(foreign)
      }),
    canary.url,
  )
  expect(canary.asked).toEqual([])
})
