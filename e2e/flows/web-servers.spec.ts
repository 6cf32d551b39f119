import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/shell-test.ts'
import { expectServerState, goTo, serverRow } from './steps.ts'

const NEEDS_KEY = `if (!process.env.MY_API_KEY) { console.error('Starting\\nError: MY_API_KEY is not set'); process.exit(1) }`

test('the row of a server that fails says why, and leads to the variable that it misses', async ({ shell, page }) => {
  const mcpServers = { keyed: { command: process.execPath, args: ['-e', NEEDS_KEY] } }
  await writeFile(join(shell.folder, 'mcp.json'), JSON.stringify({ mcpServers }))
  await shell.trustServer('allow')
  await expectServerState(page, 'keyed', 'Failed')
  const row = serverRow(page, 'keyed')
  await expect(row).toContainText('Error: MY_API_KEY is not set')
  await row.getByRole('button', { name: 'Set MY_API_KEY' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit server' })
  await expect(editor.getByRole('textbox', { name: 'Variable' })).toHaveValue('MY_API_KEY')
  await expect(editor.getByRole('textbox', { name: 'Value' })).toBeFocused()
  await page.keyboard.type('s3cret')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toHaveCount(0)
  await shell.trustServer('allow')
  await goTo(page, 'Servers')
  await expect(row.getByRole('button', { name: 'Set MY_API_KEY' })).toHaveCount(0)
})

test('a server is turned off and on in the list', async ({ page }) => {
  await expectServerState(page, 'Playground', 'Ready')
  const row = serverRow(page, 'Playground')
  await row.getByRole('switch', { name: 'Playground on' }).uncheck()
  await expect(row).toContainText('Off')
  await row.getByRole('switch', { name: 'Playground on' }).check()
  await expect(row).toContainText('Ready')
})

test('a command, an address or a configuration is recognised in whatever field it is pasted into', async ({ page }) => {
  await goTo(page, 'Servers')
  await page.getByRole('button', { name: 'Add server' }).first().click()
  const editor = page.getByRole('dialog', { name: 'Add server' })
  const paste = (name: string, text: string) =>
    editor.getByRole('textbox', { name }).evaluate((field, given) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', given)
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  await paste('Name', 'https://example.org/mcp')
  await expect(editor.getByRole('textbox', { name: 'URL' })).toHaveValue('https://example.org/mcp')
  await paste('Name', 'KEY=1 npx -y some-server')
  await expect(editor.getByRole('textbox', { name: 'Command' })).toHaveValue('npx')
  await expect(editor.getByRole('textbox', { name: 'Arguments' })).toHaveValue('-y some-server')
  await paste('Working folder', '{"mcpServers": {"theirs": {"command": "uvx", "args": ["thing"]}}}')
  await expect(editor.getByRole('textbox', { name: 'Name' })).toHaveValue('theirs')
  await expect(editor.getByRole('textbox', { name: 'Command' })).toHaveValue('uvx')
})
