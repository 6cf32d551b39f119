import type { Page } from '@playwright/test'
import { expect, test } from '../shells/shell-test.ts'
import { canMount, onSmallDisk, SmallDisk } from '../support/storage/small-disk.ts'
import { typeInto } from './keyboard-steps.ts'
import { answer, consent, goTo, goToSettings, newConversation, send, serverRow } from './steps.ts'

const FULL = 'The disk is full. Free some space and try again.'
const UNSENT = 'What I have not sent'

async function attach(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Attach', exact: true }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Files …' }).click()
  await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.alloc(20_000, 'x') })
}

test.skip(!canMount(), 'needs Linux with namespaces')
test.use({ shellOptions: { under: (folder) => onSmallDisk(folder, 24) } })

test('a full disk is reported where something is not saved, loses nothing, and everything continues once there is room', async ({
  shell,
  page,
}) => {
  const disk = new SmallDisk(shell.pid, shell.folder)
  const bar = page.getByRole('alert').filter({ hasText: FULL })
  const message = page.getByRole('textbox', { name: 'Message' })
  await newConversation(page)

  await test.step('a rule, the ledger and a turn say each what is missing; Retry goes on', async () => {
    const notices = page.getByRole('region', { name: 'Notices' })
    await send(page, 'add 2 and 3')
    await expect(consent(page)).toBeVisible()
    await disk.fill()
    await answer(page, 'Always allow')
    await expect(notices).toContainText('Your permission for “add” could not be saved. It applied this once.')
    await expect(notices).toContainText('A tool call could not be saved to the ledger and is missing there.')
    await expect(notices).toContainText('Parley could not save the conversation.')
    await expect(notices).toContainText(FULL)
    await disk.empty()
    for (const left of [2, 1, 0]) {
      await notices.getByRole('button', { name: 'Dismiss' }).first().click()
      await expect(notices.getByRole('button', { name: 'Dismiss' })).toHaveCount(left)
    }
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await expect(page.getByRole('article').last()).toContainText('it may have run, and its result is unknown')
  })

  await test.step('an unsent text says so, and is kept by itself', async () => {
    await disk.fill()
    await message.click()
    await typeInto(message, UNSENT)
    await expect(bar).toContainText('Your unsent text is not saved yet.')
    await disk.empty()
    await expect(bar).toBeHidden()
  })

  await test.step('a message and a file stay where they are', async () => {
    await disk.fill()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(bar).toBeVisible()
    await expect(message).toHaveValue(UNSENT)
    await attach(page)
    await expect(page.getByRole('alert').filter({ hasText: `Content could not be kept: ${FULL}` })).toBeVisible()
    await disk.empty()
    await attach(page)
    await expect(page.getByRole('list', { name: 'Attached to your message' })).toContainText('notes.txt')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(message).toHaveValue('')
    await expect(page.getByRole('article').filter({ hasText: UNSENT })).toContainText('notes.txt')
  })

  await test.step('a setting stays as it was', async () => {
    await goToSettings(page, 'Appearance')
    const dark = page.getByRole('radio', { name: 'Dark' })
    await disk.fill()
    await dark.click()
    await expect(bar).toBeVisible()
    await expect(dark).not.toBeChecked()
    await disk.empty()
    await dark.click()
    await expect(dark).toBeChecked()
    await expect(bar).toBeHidden()
  })

  await test.step('a server keeps its form', async () => {
    await goTo(page, 'Servers')
    await page.getByRole('button', { name: 'Add server' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add server' })
    await form.getByRole('radio', { name: 'Local program' }).check()
    await form.getByRole('textbox', { name: 'Name' }).fill('mine')
    await form.getByRole('textbox', { name: 'Command' }).fill('node')
    await disk.fill()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByRole('alert')).toContainText(FULL)
    await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('mine')
    await disk.empty()
    await form.getByRole('button', { name: 'Save' }).click()
    await shell.trustServer('deny')
    await expect(serverRow(page, 'mine')).toBeVisible()
  })
})
