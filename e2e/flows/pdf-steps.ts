import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright'
import { test as base, expect } from '../shells/shell-test.ts'
import { addTrustedServer, goTo, server } from './steps.ts'

/** A shell that shows the resources of the server of PDFs, whose files call on a loopback server that nothing should ever ask. */
export const test = base.extend<{ canary: { readonly url: string; readonly asked: readonly string[] } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from the pattern
  canary: async ({}, use) => {
    const asked: string[] = []
    const http = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    // A TCP server that listens has this kind of address.
    await use({ url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, asked })
    http.closeAllConnections()
    http.close()
  },
  page: async ({ shell, canary }, use) => {
    const { page } = shell
    await addTrustedServer(shell, { name: 'papers', args: [server('pdf/server.mjs'), canary.url] })
    await goTo(page, 'Servers')
    await page.getByRole('main').getByRole('link', { name: 'papers', exact: true }).click()
    await page.getByRole('tab', { name: 'Resources', exact: true }).click()
    await use(page)
  },
})

export const viewer = (page: Page) => page.getByRole('dialog', { name: /^Resource: / })
export const frame = (page: Page) => page.frameLocator('iframe.content-pdf')
export const pdfFrame = (page: Page) => page.frames().find((one) => one.url().endsWith('/pdf/index.html'))
export const sheet = (page: Page, number: number) => frame(page).getByRole('region', { name: `Page ${number}`, exact: true })

export async function openPaper(page: Page, name: string): Promise<void> {
  const row = page.getByRole('listitem').filter({ hasText: `papers:///${name}.pdf` })
  await row.getByRole('button', { name: 'Read', exact: true }).click()
  await expect(viewer(page)).toBeVisible()
}
