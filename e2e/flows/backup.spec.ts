import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { expectNoFaults } from '../shells/axe.ts'
import { press } from '../shells/press.ts'
import type { RunningShell } from '../shells/running-shell.ts'
import { expect, test } from '../shells/shell-test.ts'
import { goTo, goToSettings, newConversation, send } from './steps.ts'

test.skip(({ kind }) => kind === 'electron', 'the desktop app saves and restarts in ways of its own')

const data = (page: Page) => page.getByRole('region', { name: 'Data' })

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  const opening = page.waitForEvent('filechooser')
  await data(page).getByRole('button', { name: 'Restore …' }).click()
  await (await opening).setFiles({ name, mimeType: 'application/gzip', buffer })
}

/** A conversation, its copy, a damaged database, and the section of Settings that offers the copy. */
async function afterDamage(shell: RunningShell, page: Page): Promise<Page> {
  await newConversation(page)
  await send(page, 'Remember the otters')
  await expect(page.getByRole('article')).toHaveCount(2)
  await shell.restart()
  const copies = join(shell.folder, 'copies')
  await expect.poll(() => existsSync(copies) && readdirSync(copies).some((name) => name.endsWith('.db'))).toBe(true)
  await shell.quit()
  const database = new DatabaseSync(join(shell.folder, 'parley.db'))
  database.exec("DROP INDEX conversation_in_project; UPDATE conversation SET head = 'null'; DELETE FROM message")
  database.close()
  const damaged = await shell.restart()
  await expect(damaged.getByText('Everything that could be read is in a new one.')).toBeVisible()
  await goToSettings(damaged, 'Data')
  return damaged
}

const offered = (page: Page) => data(page).getByRole('button', { name: /^Open the copy of .* …$/ })

test('Settings removes the copy before damage after a second confirmation', { tag: '@long' }, async ({ shell, page }) => {
  const damaged = await afterDamage(shell, page)
  await offered(damaged).press('Enter')
  const open = damaged.getByRole('dialog', { name: /^Open the copy of / })
  const remove = damaged.getByRole('dialog', { name: /^Remove the copy of / })
  await expect(open.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await open.getByRole('button', { name: 'Remove the copy …' }).press('Enter')
  await expect(remove.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectNoFaults(damaged)
  await damaged.keyboard.press('Enter')
  await expect(open).toBeVisible()
  await open.getByRole('button', { name: 'Remove the copy …' }).press('Enter')
  await press(remove.getByRole('button', { name: 'Remove' }))
  await expect(offered(damaged)).toHaveCount(0)
})

test('Settings opens the copy before damage, in place after a restart', { tag: '@long' }, async ({ shell, page }) => {
  const damaged = await afterDamage(shell, page)
  await offered(damaged).click()
  const dialog = damaged.getByRole('dialog', { name: /^Open the copy of / })
  await expectNoFaults(damaged)
  await press(dialog.getByRole('button', { name: 'Open the copy' }))
  await expect(data(damaged).getByRole('status')).toContainText('Restart Parley to finish restoring.')
  const after = await shell.restart()
  await expect(after.getByText('A copy of the database was opened.')).toBeVisible()
  await expect(after.getByRole('link', { name: 'Remember the otters' })).toBeVisible()
})

test('Settings frees unused content, and a backup is saved with its secrets, reviewed, and in place after a restart', async ({
  shell,
  page,
}) => {
  await test.step('Settings frees what nothing uses, and leaves the rest', async () => {
    const folder = join(shell.folder, 'blobs', 'ab')
    mkdirSync(folder, { recursive: true })
    const unused = join(folder, 'ab'.repeat(32))
    writeFileSync(unused, 'of nobody')
    const monthAgo = new Date(Date.now() - 30 * 24 * 3_600_000)
    utimesSync(unused, monthAgo, monthAgo)
    await goToSettings(page, 'Data')
    await expect(data(page)).toContainText('1 file no longer used')
    await expectNoFaults(page)
    await data(page).getByRole('button', { name: 'Free 9 bytes' }).click()
    await expect(data(page)).not.toContainText('no longer used')
    expect(existsSync(unused)).toBe(false)
  })
  await test.step('a backup is saved with its secrets under a passphrase, reviewed, and in place after a restart', async () => {
    await newConversation(page)
    await send(page, 'Remember the otters')
    await expect(page.getByRole('article')).toHaveCount(2)
    await goToSettings(page, 'Data')
    await expect(data(page)).toContainText(shell.folder)

    await data(page).getByRole('button', { name: 'Back up …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'With secrets' }).check()
    await dialog.getByRole('textbox', { name: 'Passphrase' }).fill('short')
    await dialog.getByRole('button', { name: 'Back up' }).click()
    await expect(dialog.getByText('At least 8 characters.')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Passphrase' }).fill('correct horse')
    await expectNoFaults(page)
    const saving = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    const file = await saving
    expect(file.suggestedFilename()).toMatch(/^Parley \d{4}-\d\d-\d\d\.parley-backup$/)
    const bytes = readFileSync(await file.path())
    await page.getByRole('dialog', { name: 'Backed up' }).getByRole('button', { name: 'Close' }).click()

    await newConversation(page)
    await send(page, 'Written later')
    await expect(page.getByRole('article')).toHaveCount(2)
    await goToSettings(page, 'Data')
    await choose(page, 'cut.parley-backup', bytes.subarray(0, -100))
    await expect(dialog.getByRole('alert')).toHaveText('This backup is damaged or incomplete. Nothing was changed.')
    await dialog.getByRole('button', { name: 'Close' }).click()

    await choose(page, 'whole.parley-backup', bytes)
    const review = page.getByRole('dialog', { name: 'Restore this backup?' })
    await expect(review).toContainText('1 conversation and')
    await expect(review).toContainText('from this data folder')
    await review.getByRole('checkbox', { name: 'Restore its secrets' }).check()
    await review.getByRole('textbox', { name: 'Passphrase' }).fill('wrong horse')
    await press(review.getByRole('button', { name: 'Restore' }))
    await expect(review.getByRole('alert')).toHaveText('This is not the passphrase that the backup was made with.')
    await expectNoFaults(page)
    await review.getByRole('textbox', { name: 'Passphrase' }).fill('correct horse')
    await press(review.getByRole('button', { name: 'Restore' }))
    await expect(data(page).getByRole('status')).toContainText('Restart Parley to finish restoring.')

    const after = await shell.restart()
    await expect(after.getByText('The backup was restored.')).toBeVisible()
    await goTo(after, 'Conversations')
    const list = after.getByRole('region', { name: 'Conversation list' })
    await expect(list.getByRole('link', { name: 'Remember the otters' })).toBeVisible()
    await expect(list.getByRole('link', { name: 'Written later' })).toHaveCount(0)
    await goToSettings(after, 'Data')
    await expect(data(after)).toContainText('Kept from before restoring')
  })
})
