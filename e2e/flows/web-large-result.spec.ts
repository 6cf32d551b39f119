import { fileURLToPath } from 'node:url'
import { expect, test } from '../shells/shell-test.ts'
import { addTrustedServer, answer, card, expectStatus, newConversation, openCall, send } from './steps.ts'

const big = fileURLToPath(new URL('../bench/big-results.mjs', import.meta.url))

test('a result of 20 MB is shown to its last line, and only what is in sight is built', async ({ shell, page }) => {
  await addTrustedServer(shell, { name: 'big', args: [big] })
  await newConversation(page)
  await send(page, 'use big/lines')
  await answer(page, 'Allow once')
  await expectStatus(card(page, 'lines'), 'Finished')
  await (await openCall(card(page, 'lines'))).getByRole('button', { name: /^Show all \(2\d MB\)/ }).click()
  const whole = card(page, 'lines').getByRole('region', { name: 'Whole text' })
  await expect(whole).toContainText('0 2026-11-20T10:00:00Z')
  await expect(card(page, 'lines').getByText(/^Reading/)).toHaveCount(0)
  await whole.focus()
  await expect(async () => {
    await page.keyboard.press('End')
    expect(await whole.textContent()).toContain('261183 2026-11-20')
  }).toPass()
  expect(await whole.locator('pre').count()).toBeLessThan(30)
  await card(page, 'lines').getByRole('button', { name: 'Fold' }).click()
  await expect(whole).toHaveCount(0)
})
