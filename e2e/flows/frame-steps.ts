import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright'
import { test as base, expect } from '../shells/shell-test.ts'
import { type ModelApi, startModelApi } from '../support/model-api.ts'
import { chooseModel, goTo, newConversation, send } from './steps.ts'

interface FrameFixtures {
  /** A loopback server that nothing should ever ask, or even call. */
  readonly canary: { readonly url: string; readonly called: readonly string[] }
  /** Lets a model say these texts, one after the other, in a conversation. */
  readonly say: (...texts: readonly string[]) => Promise<void>
}

/** A shell with a model that says what a test wrote down. */
export const test = base.extend<FrameFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from the pattern
  canary: async ({}, use) => {
    const called: string[] = []
    const http = createServer((request, response) => {
      called.push(request.url ?? '')
      response.end()
    })
    http.on('connection', () => called.push('a connection'))
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    // A TCP server that listens has this kind of address.
    await use({ url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, called })
    http.closeAllConnections()
    http.close()
  },
  say: async ({ page }, use) => {
    const left: string[] = []
    let api: ModelApi | undefined
    let said = 0
    await use(async (...texts) => {
      left.push(...texts)
      if (!api) {
        api = await startModelApi(() => ({ text: `${left.shift()}\n\nThat was all of ${++said}.` }))
        await connect(page, api.url)
      }
      for (const _ of texts) {
        const all = page.getByText(`That was all of ${said + 1}.`)
        await send(page, 'go on')
        await expect(all.last()).toBeVisible()
        await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
      }
    })
    await api?.close()
  },
})

async function connect(page: Page, url: string): Promise<void> {
  await goTo(page, 'Settings')
  await page.getByRole('button', { name: 'Add provider' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('radio', { name: 'OpenAI-compatible', exact: true }).check()
  await form.getByRole('textbox', { name: 'Base URL', exact: true }).fill(`${url}/v1`)
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await newConversation(page)
  await chooseModel(page, 'llama3.2')
}

export const fenced = (language: string, code: string) => `\`\`\`\`${language}\n${code}\n\`\`\`\``
export const diagram = (page: Page) => page.locator('iframe[title="Diagram"]')
export const preview = (page: Page) => page.locator('iframe[title="Preview of code written by the model"]')
export const frameAt = (page: Page, path: string) => page.frames().filter((one) => one.url().endsWith(path))
