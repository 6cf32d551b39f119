import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expectNoFaults } from '../shells/axe.ts'
import { expect, test } from '../shells/shell-test.ts'
import { fenceHere } from '../support/fence-here.ts'
import { watchHere } from '../support/watch-here.ts'
import { addTrustedServer, expectServerState, goTo, server, serverRow } from './steps.ts'

test.use({ shellOptions: async ({ tempFolder }, use) => use({ env: { HOME: await realpath(tempFolder) } }) })

test('a server is watched at its next start, and fenced by what the person chose of it with the keyboard', async ({
  shell,
  page,
  tempFolder,
}) => {
  test.skip(!((await watchHere()) && (await fenceHere())), 'NOT TESTED: servers cannot be watched and fenced here')
  const home = await realpath(tempFolder)
  const [folder, other] = [join(home, 'named'), join(home, 'other')]
  const files = [join(folder, 'inside/list.txt'), join(other, 'diary.txt')]
  for (const file of files) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'x')
  }
  await addTrustedServer(shell, { name: 'mine', args: [server('small/watched.mjs'), folder, ...files] })
  await goTo(page, 'Servers')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Fence all local servers …' }).click()
  const all = page.getByRole('dialog', { name: 'Fence all local servers' })
  await expect(all.getByRole('list', { name: 'Local servers' })).toContainText(`Files: ${folder} (changes)`)
  await expectNoFaults(page)
  await all.getByRole('button', { name: 'Fence 1 server' }).press('Enter')
  await expect(serverRow(page, 'mine')).toContainText('Fenced')
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(serverRow(page, 'mine')).not.toContainText('Fenced')
  await expectServerState(page, 'mine', 'Ready')
  await serverRow(page, 'mine').getByRole('link', { name: 'mine', exact: true }).click()
  await page.getByRole('button', { name: 'Watch its next start' }).click()
  await expect(page.getByText(/Watching since .*: 2 folders, 0 hosts\./)).toBeVisible()
  await shell.restart()
  await goTo(shell.page, 'Servers')
  await serverRow(shell.page, 'mine').getByRole('link', { name: 'mine', exact: true }).click()
  await expect(shell.page.getByText(/Watching since .*: 2 folders, 0 hosts\./)).toBeVisible()

  await shell.page.getByRole('button', { name: 'Fence it …' }).press('Enter')
  const sheet = shell.page.getByRole('dialog', { name: 'Fence mine' })
  const choice = (path: string) => sheet.getByRole('combobox', { name: `Folder ${path}` })
  await expect(choice(folder)).toHaveValue('change')
  await expect(choice(other)).toHaveValue('out')
  await expectNoFaults(shell.page)
  await choice(folder).focus()
  await shell.page.keyboard.press('R')
  await expect(choice(folder)).toHaveValue('read')
  await choice(other).focus()
  await shell.page.keyboard.press('R')
  await sheet.getByRole('button', { name: 'Fence it' }).press('Enter')
  await expect(sheet).toBeHidden()
  await expectServerState(shell.page, 'mine', 'Fenced')
  await serverRow(shell.page, 'mine').getByRole('link', { name: 'mine', exact: true }).click()
  await expect(shell.page.getByRole('switch', { name: 'Fenced' })).toBeChecked()
  const rows = shell.page.getByRole('list', { name: 'Folders that it reaches' })
  await expect(rows).toContainText(folder)
  await expect(rows).toContainText(other)
  await expect(rows.getByRole('checkbox').first()).not.toBeChecked()
})
