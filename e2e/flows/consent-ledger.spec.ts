import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { canonicalJson } from '../../src-shared/base/json.ts'
import { expectNoFaults } from '../shells/axe.ts'
import { press } from '../shells/press.ts'
import { expect, test } from '../shells/shell-test.ts'
import { answer, card, consent, expectStatus, goTo, goToSettings, newConversation, send } from './steps.ts'

const ledger = (page: Page) => page.getByRole('list', { name: 'Ledger' })

test('the ledger has every decision, a question says what Parley protects from, and no content is printed (SEC-17, SEC-20, TOOL-10)', async ({
  shell,
  page,
}) => {
  await test.step('the ledger has every decision with its arguments, and its chain holds, here and in the export', async () => {
    await newConversation(page)
    await send(page, 'use playground/add with a=1 b=2')
    await answer(page, 'Allow once')
    await expectStatus(card(page, 'add'), 'Finished')
    await send(page, 'use playground/describe-text with text="to be"')
    await answer(page, 'Deny')
    await expectStatus(card(page, 'describe-text'), 'Declined')

    await goToSettings(page, 'Ledger')
    const entries = ledger(page).getByRole('listitem')
    await expect(entries).toHaveCount(2)
    await expect(entries.nth(0)).toContainText('Denied by you · not sent')
    await expect(entries.nth(1)).toContainText('Allowed by you · done')
    await entries.nth(0).getByText('describe-text').click()
    await expect(entries.nth(0)).toContainText('to be')
    await expectNoFaults(page)
    await page.getByRole('searchbox', { name: 'Search the ledger' }).fill('add')
    await expect(entries).toHaveCount(1)
    await page.getByRole('button', { name: 'Verify integrity' }).click()
    await expect(page.getByRole('main').getByText(/^2 entries \(.*\), unbroken\.$/)).toBeVisible()

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    let before = '0'.repeat(64)
    for (const line of lines) {
      const { entry, hash } = JSON.parse(line)
      expect(
        createHash('sha256')
          .update(before + canonicalJson(entry))
          .digest('hex'),
      ).toBe(hash)
      before = hash
    }
    expect(lines.map((line) => JSON.parse(line).entry.decision)).toEqual(['allowed-by-person', 'denied'])
  })
  await test.step('every question leads to the page that says what Parley protects from, and stays open', async () => {
    await newConversation(page)
    await send(page, 'use playground/add with a=1 b=2')
    await consent(page).getByText('Why am I asked?').click()
    await consent(page).getByRole('link', { name: 'Security limits' }).click()
    await expect(page.getByRole('main')).toContainText(
      'A local server is a program with your rights, unless it is fenced, as its first start proposes.',
    )
    await goTo(page, 'Inbox')
    await expect(page.getByRole('main')).toContainText('add')
  })
  await test.step('what is said and called is in the data folder alone: nothing of it is printed', async () => {
    await newConversation(page)
    await send(page, 'use playground/describe-text with text="a canary that nobody prints"')
    await press(consent(page).getByRole('button', { name: 'Allow once' }))
    await expectStatus(card(page, 'describe-text'), 'Finished')
    const database = `${shell.folder}/parley.db`
    await shell.quit()
    expect(shell.output()).not.toContain('canary')
    expect(readFileSync(database).includes('a canary that nobody prints')).toBe(true)
  })
})
