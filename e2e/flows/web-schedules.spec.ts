import { expectNoFaults } from '../shells/axe.ts'
import { expect, test } from '../shells/shell-test.ts'
import { typeInto, walkTo } from './keyboard-steps.ts'
import { question } from './question-steps.ts'
import { addTrustedServer, answer, goTo, goToSettings, newConversation, server } from './steps.ts'

test('a schedule is made by keys, its run waits for an answer, and its history has what was done', async ({ page, shell }) => {
  await addTrustedServer(shell, { name: 'mail', args: [server('small/desk.mjs'), 'mail'] })
  await page.evaluate(() => {
    location.hash = '#/settings/schedules'
  })
  const section = page.getByRole('region', { name: 'Schedules' })
  const add = section.getByRole('button', { name: 'New schedule' })
  await expect(section).toContainText('None yet.')
  await walkTo(page, add)
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'New schedule' })
  await form.getByRole('combobox', { name: 'When' }).selectOption('On some days')
  // A choice alone is not dropped, either.
  await page.keyboard.press('Escape')
  await question(page, 'Discard what you typed?').getByRole('button', { name: 'Cancel' }).press('Enter')
  await expectNoFaults(page)
  const prompt = form.getByRole('textbox', { name: 'Prompt' })
  // Without a prompt it is not saved, and the field takes the focus.
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(form.getByText('Required', { exact: true })).toBeVisible()
  await typeInto(prompt, 'use mail/send_mail with to=bob@example.com body=Hello')
  // Leaving asks before it drops the text, and goes back to it.
  await page.keyboard.press('Escape')
  await question(page, 'Discard what you typed?').getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(prompt).toBeFocused()
  await page.keyboard.press('Tab')
  await typeInto(form.getByRole('textbox', { name: 'Name' }), 'Morning mail')
  await page.keyboard.press('Enter')
  await expect(form).toHaveCount(0)

  const row = section.getByRole('listitem').filter({ hasText: 'Morning mail' })
  await expect(row).toContainText('Mondays at 9:00')
  await expect(row).toContainText('Next: Mon')
  await expect(row).toContainText('Has not run yet.')
  await walkTo(page, row.getByRole('button', { name: 'Run now: “Morning mail”' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await goTo(page, 'Inbox')
  await expect(page.getByRole('main')).toContainText('send_mail')
  await goToSettings(page, 'Schedules')
  await expect(row).toContainText('Waits for your answer')
  await row.getByRole('link', { name: 'Waits for your answer' }).press('Enter')
  await expect(page.getByRole('main').getByRole('link', { name: 'Scheduled' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Morning mail/ }).first()).toHaveAccessibleDescription('Run of a schedule')
  await answer(page, 'Allow once')

  await goToSettings(page, 'Schedules')
  await expect(row.getByRole('link', { name: /^Done/ })).toBeVisible()
  await row.locator('summary', { hasText: 'History' }).press('Enter')
  await expect(row.getByRole('list', { name: 'Calls' })).toContainText('send_mail on mail · Allowed by you · done')
  await expectNoFaults(page)
  // It is in the archive, so that it does not bury the person's own.
  await newConversation(page)
  await expect(page.getByRole('navigation', { name: 'Main' }).getByText('Morning mail')).toHaveCount(0)

  await goToSettings(page, 'Schedules')
  await row.getByRole('button', { name: 'Pause “Morning mail”' }).press('Enter')
  await expect(row.getByText('Paused', { exact: true })).toBeVisible()
  await row.getByRole('button', { name: 'Resume “Morning mail”' }).press('Enter')
  await expect(row).toContainText('Next: Mon')
  await row.getByRole('button', { name: 'Remove “Morning mail”' }).press('Enter')
  await expect(row).toHaveCount(0)
  await page.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(row).toContainText('Done')
})
