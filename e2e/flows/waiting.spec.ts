import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { RunningShell } from '../shells/running-shell.ts'
import { expect, test } from '../shells/shell-test.ts'
import {
  addTrustedServer,
  answer,
  callByHand,
  card,
  expectStatus,
  goTo,
  newConversation,
  openCall,
  send,
  server,
  serverRow,
} from './steps.ts'

const slow = { name: 'slow', args: [server('small/slow.mjs')] }
const LIMIT = 5
const NOTICE = `Still waiting: nothing heard for ${LIMIT} seconds.`

let folder = ''
const file = () => join(folder, 'there')
test.beforeEach(({ tempFolder }) => {
  folder = tempFolder
})

async function openServer(page: Page): Promise<void> {
  await goTo(page, 'Servers')
  await serverRow(page, 'slow').getByRole('link', { name: 'slow', exact: true }).click()
}

/** A server that is silent, and given little time. */
async function addSlow(shell: RunningShell): Promise<void> {
  const { page } = shell
  await addTrustedServer(shell, slow)
  await openServer(page)
  await page.getByRole('button', { name: 'Edit server' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit server' })
  await editor.getByText('Advanced').click()
  await editor.getByRole('spinbutton', { name: 'Request timeout (seconds)' }).fill(String(LIMIT))
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toHaveCount(0)
}

async function letWait(page: Page): Promise<Locator> {
  await newConversation(page)
  await send(page, `use slow/wait with file="${file()}"`)
  await answer(page, 'Allow once')
  const call = card(page, 'wait')
  await expectStatus(call, 'Running')
  return call
}

async function expectCancelled(page: Page, times = 1): Promise<void> {
  await openServer(page)
  await page.getByRole('tab', { name: 'Log' }).click()
  const lines = page.getByRole('log', { name: 'Server log' }).locator('.log-line').filter({ hasText: 'cancelled number' })
  await expect(lines).toHaveCount(times)
}

const keepGoing = (place: Page | Locator) => place.getByRole('button', { name: 'Keep going' })

test.describe('a call past its deadline', () => {
  test('runs visibly, continues when the person waits, and ends when they stop it or nobody answers, over a reload (CANC-01, PROG-04, TOOL-04)', async ({
    shell,
    page,
  }) => {
    await addSlow(shell)
    await test.step('shows that it runs and for how long, goes on when the person wants to wait, and its late answer counts', async () => {
      const call = await letWait(page)
      await expect(call.getByRole('progressbar', { name: 'Progress of wait' })).toBeVisible()
      await expect(call.getByText(/^[1-9]\d* s$/)).toBeVisible()
      await expect(call).toContainText(NOTICE)
      await expect(call).toContainText('unless you keep going')
      await expect(
        page
          .getByRole('link', { name: /^use slow\/wait/ })
          .first()
          .locator('..'),
      ).toContainText('Still waiting')
      await expect(page.getByRole('status').filter({ hasText: 'Keep going, or stop?' })).toHaveCount(1)
      await keepGoing(call).press('Enter')
      await expect(call.getByText(NOTICE)).toHaveCount(0)
      await expectStatus(call, 'Running')
      await writeFile(file(), '')
      await expectStatus(call, 'Finished')
      await expect(await openCall(call)).toContainText('the file is there')
      await expect(call.getByRole('progressbar')).toHaveCount(0)
      await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
    })
    await test.step('is over when the person stops it, and the server is told', async () => {
      await rm(file())
      const call = await letWait(page)
      await expect(call).toContainText(NOTICE)
      await call.getByRole('button', { name: 'Cancel this call' }).click()
      await expectStatus(call, 'Cancelled')
      await expect(call.getByText('Still waiting')).toHaveCount(0)
      await expectCancelled(page)
    })
    await test.step('survives a reload, and ends by itself when nobody answers', async () => {
      await rm(file(), { force: true })
      const call = await letWait(page)
      await expect(call).toContainText(NOTICE)
      await page.reload()
      await expect(call).toContainText(NOTICE)
      await expectStatus(call, 'Failed')
      await expect(call).toContainText('did not answer in time')
      await expectCancelled(page, 2)
    })
  })

  test('keeps the focus in place when a sign of life closes the question', { tag: '@long' }, async ({ shell, page }) => {
    await addSlow(shell)
    const call = await letWait(page)
    await expect(call).toContainText(NOTICE)
    await keepGoing(call).focus()
    await writeFile(`${file()}-soon`, '')
    await expect(call.getByText(NOTICE)).toHaveCount(0)
    await expect(call.locator('.call-progress')).toBeFocused()
    await writeFile(file(), '')
    await expect(await openCall(call)).toContainText('the file is there')
  })
})

test('a call by hand past its deadline can be continued and ended, and the server is told (LIFE-29, CANC-01)', {
  tag: '@long',
}, async ({ shell, page }) => {
  await addSlow(shell)
  await page.getByRole('tab', { name: 'Tools' }).click()
  await page.getByRole('main').getByRole('link', { name: 'wait' }).first().click()
  await page.getByRole('textbox', { name: 'file' }).fill(file())
  await callByHand(shell)
  const main = page.getByRole('main')
  await expect(main.getByRole('progressbar', { name: 'Progress of wait' })).toBeVisible()
  await expect(main).toContainText(NOTICE)
  await keepGoing(page).click()
  await expect(main.getByText(NOTICE)).toHaveCount(0)
  await expect(main).toContainText('Still waiting: nothing heard for')
  await page.getByRole('button', { name: 'Cancel call' }).click()
  await expect(main).toContainText('Stopped. The server was told.')
  await expectCancelled(page)
})
