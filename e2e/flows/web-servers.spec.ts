import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../shells/shell-test.ts'
import { expectServerState, goTo, serverRow } from './steps.ts'

test('a server is switched where it is listed and on its page, its tools have addresses, and whatever is pasted is recognised', async ({
  shell,
  page,
}) => {
  await test.step('a server is turned off and on in the list and on its page, which is one and the same', async () => {
    await expectServerState(page, 'Playground', 'Ready')
    const row = serverRow(page, 'Playground')
    const inList = row.getByRole('switch', { name: 'Playground on' })
    const meaning = 'Turn off to stop this server.'
    await expect(inList).toHaveAccessibleDescription(meaning)
    await inList.uncheck()
    await expect(row).toContainText('Off')
    await row.getByRole('link', { name: 'Playground' }).click()
    const state = page.getByRole('main').getByRole('status').first()
    const onPage = page.getByRole('switch', { name: 'On', exact: true })
    await expect(onPage).toHaveAccessibleDescription(meaning)
    await expect(onPage).not.toBeChecked()
    await onPage.check()
    await expect(state).toContainText('Ready')
    await page.getByRole('button', { name: 'Stop server' }).click()
    await expect(state).toContainText('Off')
    await expect(onPage).not.toBeChecked()
    await goTo(page, 'Servers')
    await inList.check()
    await expect(row).toContainText('Ready')
  })
  await test.step('a tool has an address of its own, and its neighbours next to it', async () => {
    await page.setViewportSize({ width: 1280, height: 820 })
    await expectServerState(page, 'Playground', 'Ready')
    await serverRow(page, 'Playground').getByRole('link', { name: 'Playground' }).click()
    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByRole('main').getByRole('link', { name: 'add', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'add', exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\/tools\/add$/)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'add', exact: true })).toBeVisible()
    const others = page.getByRole('navigation', { name: 'Tools of this server' })
    await expect(others.getByRole('link', { name: 'add', exact: true })).toHaveAttribute('aria-current', 'page')
    await others.getByRole('link', { name: 'slow-task', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'slow-task', exact: true })).toBeVisible()
  })
  await test.step('a name that is cut says itself whole on hover', async () => {
    const name = `server-${'with-a-long-name-'.repeat(3)}end`
    await writeFile(join(shell.folder, 'mcp.json'), JSON.stringify({ mcpServers: { [name]: { command: 'nowhere' } } }))
    await shell.trustServer('deny')
    await expectServerState(page, name, 'Not allowed')
    await serverRow(page, name).getByRole('link', { name }).click()
    const line = (text: string) => page.getByRole('region', { name: 'List of servers' }).locator('.one-line', { hasText: text })
    const cut = line(name)
    await cut.hover()
    await expect(cut).toHaveAttribute('title', name)
    const whole = line('Playground')
    await whole.hover()
    await expect(whole).not.toHaveAttribute('title')
  })
  await test.step('a command, an address or a configuration is recognised in whatever field it is pasted into, and taken back', async () => {
    await goTo(page, 'Servers')
    await page.getByRole('button', { name: 'Add server' }).first().click()
    const editor = page.getByRole('dialog', { name: 'Add server' })
    const paste = (name: string, text: string) =>
      editor.getByRole('textbox', { name, exact: true }).evaluate((field, given) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', given)
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    const value = (name: string) => expect(editor.getByRole('textbox', { name, exact: true }))
    const undo = editor.getByRole('button', { name: 'Undo' })
    for (const field of ['Arguments', 'Working folder', 'Variable']) {
      await paste(field, 'docker run -i mcp/fetch')
      await value('Command').toHaveValue('docker')
      await value('Arguments').toHaveValue('run -i mcp/fetch')
      await undo.click()
      await value('Command').toHaveValue('')
      await paste(field, 'https://example.org/other')
      await value('URL').toHaveValue('https://example.org/other')
      await undo.click()
    }
    await paste('Variable', 'docker run -i mcp/other')
    await value('Command').toHaveValue('docker')
    await editor.getByRole('textbox', { name: 'Name' }).fill('mine')
    await expect(undo).toHaveCount(0)
    for (const field of ['Name', 'Command', 'Arguments']) await editor.getByRole('textbox', { name: field }).fill('')
    await paste('Value', 'https://example.org/mcp')
    await expect(editor.getByRole('textbox', { name: 'URL' })).toHaveCount(0)
    await paste('Name', 'https://example.org/mcp')
    await expect(editor.getByRole('textbox', { name: 'URL' })).toHaveValue('https://example.org/mcp')
    await paste('Name', 'KEY=1 npx -y some-server')
    await value('Command').toHaveValue('npx')
    await value('Arguments').toHaveValue('-y some-server')
    await paste('Working folder', '{"mcpServers": {"theirs": {"command": "uvx", "args": ["thing"]}}}')
    await expect(editor.getByRole('textbox', { name: 'Name' })).toHaveValue('theirs')
    await expect(editor.getByRole('textbox', { name: 'Command' })).toHaveValue('uvx')
  })
})
