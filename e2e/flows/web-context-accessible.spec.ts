import { expectNoFaults } from '../support/axe.ts'
import { expect, test } from '../support/shell-test.ts'
import { addTrustedServer, newConversation, official } from './steps.ts'

test('pickers, previews, attachments and the meter pass the axe checks, light and dark', async ({ shell, page }) => {
  test.setTimeout(120_000)
  const args = `"${official('server-everything')}" stdio`
  await addTrustedServer(shell, { name: 'everything', command: process.execPath, args })
  await newConversation(page)
  await page.getByRole('button', { name: 'Attach', exact: true }).click()
  const picker = page.getByRole('dialog', { name: 'Attach a resource' })
  await expect(picker.getByRole('button', { name: /architecture/ })).toBeVisible()
  await expectNoFaults(page)
  await picker.getByRole('button', { name: 'As a tree' }).click()
  await expectNoFaults(page)
  await picker.getByRole('button', { name: /architecture/ }).click()
  await picker.getByRole('button', { name: 'Preview' }).click()
  await expect(picker.getByRole('region', { name: 'Content' })).toBeVisible()
  await expectNoFaults(page)
  await picker.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Attached to your message' })).toBeVisible()
  await page.getByRole('button', { name: 'Context', exact: true }).click()
  await expect(page.getByRole('region', { name: 'What the model is given' })).toBeVisible()
  await expectNoFaults(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Prompts', exact: true }).click()
  const prompts = page.getByRole('dialog', { name: 'Use a prompt' })
  await prompts.getByRole('button', { name: /Team/ }).click()
  await prompts.getByRole('combobox', { name: 'department' }).fill('S')
  await expect(prompts.getByRole('option', { name: 'Sales' })).toBeVisible()
  await expectNoFaults(page)
})
