import type { Page } from 'playwright'
import { COSTLY } from '../servers/hostile-content/costly.mjs'
import { expect, test } from '../shells/shell-test.ts'
import {
  addTrustedServer,
  answer,
  card,
  expectShown,
  expectStatus,
  goTo,
  newConversation,
  openCall,
  send,
  server,
} from './steps.ts'

const costly = { name: 'costly', args: [server('hostile-content/messages.mjs')] }
/** Of the texts and the links, those whose time is one. */
const READABLE = 6
const FAR = Number.MAX_SAFE_INTEGER

/** Somebody can go on: a message is sent and answered, and the conversation stands in the list. */
async function expectUsable(page: Page, a: number): Promise<void> {
  await send(page, `use playground/add with a=${a} b=1`)
  await answer(page, 'Allow once')
  await expectShown(page, 'add', `${a} + 1 = ${a + 1}`)
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Conversations' }).getByRole('link').first()).toBeVisible()
  await expectNoFailure(page)
}

/** Nothing had to be left out because drawing it failed, and no time is none. */
async function expectNoFailure(page: Page): Promise<void> {
  await expect(page.getByText('could not be shown')).toHaveCount(0)
  await expect(page.getByText(/Invalid Date|NaN/)).toHaveCount(0)
}

test.describe('costly texts and impossible dates', () => {
  test('in results, progress and log leave the conversation usable', async ({ shell, page }) => {
    await addTrustedServer(shell, costly)
    await newConversation(page)
    for (const tool of ['speak', 'report']) {
      await send(page, `use costly/${tool} with times=${FAR}`)
      await answer(page, 'Allow once')
      await expectStatus(card(page, tool), 'Finished')
      const hints = (await openCall(card(page, tool))).locator('.content-hints')
      await expect(hints.filter({ hasText: 'priority 0 %' })).toHaveCount(COSTLY.length)
      await expect(hints.filter({ hasText: 'changed' })).toHaveCount(READABLE)
    }
    await expectUsable(page, 1)
    await goTo(page, 'Servers')
    await page.getByRole('main').getByRole('link', { name: 'costly', exact: true }).click()
    for (const tab of ['Tools', 'Log', 'Traffic']) {
      await page.getByRole('tab', { name: tab, exact: true }).click()
      await expect(page.getByRole('tabpanel')).toContainText(/\S/)
      await expect(page.getByText('could not be shown')).toHaveCount(0)
    }
    await newConversation(page)
    await expectUsable(page, 2)
  })

  test('in resources are shown, as text where they cannot be bounded', async ({ shell, page }) => {
    await addTrustedServer(shell, costly)
    await goTo(page, 'Servers')
    await page.getByRole('main').getByRole('link', { name: 'costly', exact: true }).click()
    await page.getByRole('tab', { name: 'Resources', exact: true }).click()
    const list = page.getByRole('list', { name: 'Resources', exact: true })
    const viewer = page.getByRole('dialog', { name: /^Resource: / })
    for (const row of COSTLY.keys()) {
      await list.getByRole('button', { name: 'Read', exact: true }).nth(row).click()
      // The size that the server claims.
      if (row % 2 === 1) await viewer.getByRole('button', { name: 'Read anyway' }).click()
      await expect(viewer.locator('.content-item').first()).toContainText(/\S/)
      if (row === 0) await expect(viewer).toContainText('Shown as plain text')
      await expectNoFailure(page)
      await page.keyboard.press('Escape')
      await expect(viewer).toHaveCount(0)
    }
  })

  test('in an imported conversation leave it readable, and the list of conversations too', async ({ page }) => {
    const model = { provider: 'demo', model: 'demo' }
    const messages = COSTLY.map((text, n) => ({
      id: `message-${n}`,
      turnId: 'turn-1',
      role: n === 0 ? 'user' : 'assistant',
      at: FAR,
      parts: [{ type: 'text', text }],
      status: 'done',
      ...(n > 0 && { model, usage: { input: FAR, output: FAR } }),
    }))
    const file = {
      ...{ format: 'parley-conversation', version: 1, title: 'From far away', createdAt: FAR, updatedAt: FAR, model },
      ...{ messages, toolCalls: [], blobs: {} },
    }
    await newConversation(page)
    await page
      .getByLabel('Exported conversation')
      .setInputFiles({ name: 'far.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(file)) })
    await expect(page.getByRole('link', { name: 'From far away' })).toBeVisible()
    await expect(page.getByRole('article').getByText('Shown as plain text').first()).toBeVisible()
    await expectNoFailure(page)
    await expectUsable(page, 3)
    await page.reload()
    await expect(page.getByRole('link', { name: 'From far away' })).toBeVisible()
    await expectUsable(page, 4)
  })
})
