import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectNoFaults } from '../shells/axe.ts'
import { expect, test } from '../shells/shell-test.ts'
import { fenceHere } from '../support/fence-here.ts'
import { expectServerState, goTo, server, serverRow } from './steps.ts'

test('a fenced server reaches a host once it is allowed by name', async ({ shell, page }) => {
  test.skip(!(await fenceHere()), 'NOT TESTED: servers cannot be fenced here')
  const host = 'api.parley.invalid'
  const mine = { command: process.execPath, args: [server('small/reach.mjs'), `--fetch=http://${host}/`] }
  await writeFile(join(shell.folder, 'mcp.json'), JSON.stringify({ mcpServers: { mine } }))
  const question = page.getByRole('dialog')
  await question.getByRole('radio', { name: 'Open', exact: true }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(question.getByRole('radio', { name: 'Fenced', exact: true })).toBeChecked()
  await expect(question).toContainText('It runs behind a fence.')
  await expect(question).toContainText('Files: only its own. Network: none.')
  await expectNoFaults(page)
  await shell.trustServer('allow')
  await expectServerState(page, 'mine', 'Ready')
  await serverRow(page, 'mine').getByRole('link', { name: 'mine', exact: true }).click()
  await expect(page.getByRole('switch', { name: 'Fenced' })).toBeChecked()
  const network = page.getByRole('combobox', { name: 'Network' })
  await expect(network).toHaveValue('none')
  await network.selectOption('Named hosts')
  const refused = page.getByRole('list', { name: 'What its fence kept from it' })
  await expect(refused).toContainText(host)
  await goTo(page, 'Inbox')
  const items = page.getByRole('region', { name: 'Kept out by fences' })
  await expect(items).toContainText(`Its fence kept it from ${host}.`)
  await expectNoFaults(page)
  await items.getByRole('button', { name: 'Allow …' }).press('Enter')
  await expect(refused).toBeFocused()
  const field = page.getByRole('textbox', { name: 'Host' })
  await field.fill('https://example.com/')
  await field.press('Enter')
  await expect(page.getByText('Write the host alone, without https:// and without a path.')).toBeVisible()
  await expectNoFaults(page)
  await field.fill('*.Example.com')
  await field.press('Enter')
  await expect(question).toContainText('It may reach “*.example.com”.')
  await shell.trustServer('allow')
  await expectServerState(page, 'mine', 'Ready')
  await serverRow(page, 'mine').getByRole('link', { name: 'mine', exact: true }).click()
  await page.getByRole('button', { name: `Allow ${host}` }).click()
  await expect(question).toContainText(`It may reach “${host}”.`)
  await shell.trustServer('allow')
  await expectServerState(page, 'mine', 'Ready')
  await serverRow(page, 'mine').getByRole('link', { name: 'mine', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Hosts that it reaches' })).toContainText(host)
  await expect(refused).toBeHidden()
  await expectNoFaults(page)
})
