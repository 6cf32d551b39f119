import { mkdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expectNoFaults } from '../shells/axe.ts'
import type { DoubleShell } from '../shells/double-shell.ts'
import { press, tick } from '../shells/press.ts'
import { wantsRealElectron } from '../shells/real-electron-shell.ts'
import type { RunningShell } from '../shells/running-shell.ts'
import { expect, test } from '../shells/shell-test.ts'
import { filesystemByNpx, pathWithNpx } from '../support/npx-on-path.ts'
import { addAsker, expectAnswer, folders, letAsk } from './question-steps.ts'
import {
  addTrustedServer,
  answer,
  card,
  consent,
  everything,
  expectServerState,
  expectShown,
  expectStatus,
  goTo,
  newConversation,
  openCall,
  send,
  server,
  serverRow,
} from './steps.ts'

test.skip(wantsRealElectron, 'folder dialogs of the system are answered by the double')

/** Presses the button that asks for a folder and chooses one, in the page or in the system's dialog. */
async function pick(shell: RunningShell, path: string): Promise<void> {
  const { page, kind } = shell
  if (kind === 'electron') await (shell as DoubleShell).order({ do: 'answer-folder-dialog', path })
  await page.getByRole('button', { name: 'Add a folder …' }).last().click()
  if (kind === 'electron') return
  const picker = page.getByRole('dialog', { name: 'Choose a folder' })
  await picker.getByRole('textbox', { name: 'Folder' }).fill(path)
  await picker.getByRole('button', { name: 'Go' }).click()
  await expect(picker.getByRole('list')).toHaveAccessibleName(`Folders in ${path}`)
  await press(picker.getByRole('button', { name: 'Choose' }))
}

/** Adds the asking server, and names a folder in the question about its first start. */
async function nameOnTrust(shell: RunningShell, path: string): Promise<void> {
  const { page } = shell
  const asks = { command: process.execPath, args: [server('small/asks.mjs')] }
  await writeFile(join(shell.folder, 'mcp.json'), JSON.stringify({ mcpServers: { asks } }))
  const start = page.getByRole('dialog', { name: 'Start this server?' })
  await start.locator('summary', { hasText: 'Folders to share' }).press('Enter')
  await expectNoFaults(page)
  await pick(shell, path)
  await expect(start.getByRole('list', { name: 'Added folders' })).toContainText(path)
  await shell.trustServer('allow')
  await expectServerState(page, 'asks', 'Ready')
}

function folder(shell: RunningShell, name: string): string {
  const path = join(shell.folder, '..', `${shell.folder.split('/').at(-1)}-${name}`)
  mkdirSync(path, { recursive: true })
  return path
}

const listed = (...paths: string[]) => ({
  result: { roots: paths.map((path) => ({ uri: pathToFileURL(path).href, name: path.split('/').at(-1) })) },
})

test.describe('folders', () => {
  test('can be declined with one click where a server asks for some', { tag: '@long' }, async ({ shell, page }) => {
    await addTrustedServer(shell, everything)
    await newConversation(page)
    await send(page, 'use everything/get-roots-list')
    await answer(page, 'Allow once')
    const wish = page.getByRole('main').getByText('everything wants access to a folder.')
    await expect(wish).toHaveCount(1)
    await test.step('is said once, however many turns use the server', async () => {
      await send(page, 'use everything/get-roots-list')
      await answer(page, 'Allow once')
      await expect(page.getByRole('group', { name: 'Tool call: get-roots-list' })).toHaveCount(2)
      await expectStatus(card(page, 'get-roots-list'), 'Finished')
      await expect(wish).toHaveCount(0)
      await goTo(page, 'Servers')
      await expect(serverRow(page, 'everything')).toContainText('Wants a folder')
      await page.getByRole('main').getByRole('link', { name: 'everything' }).click()
      await expect(wish).toHaveCount(1)
    })
    await page.getByRole('button', { name: 'Don’t share' }).click()
    await expect(wish).toHaveCount(0)
    await newConversation(page)
    await send(page, 'use everything/get-roots-list')
    await answer(page, 'Allow once')
    await expectStatus(card(page, 'get-roots-list'), 'Finished')
    await expect(wish).toHaveCount(0)
  })

  test('of one server are not shown to another (ROOT-11)', { tag: '@long' }, async ({ shell, page }) => {
    const notes = folder(shell, 'of asks')
    await addAsker(shell)
    await letAsk(page, 'roots')
    await pick(shell, notes)
    await press(folders(page).getByRole('button', { name: 'Share', exact: true }))
    await expectAnswer(page, listed(notes))
    await addTrustedServer(shell, everything)
    await newConversation(page)
    await send(page, 'use everything/get-roots-list then everything/echo with message=hi')
    await answer(page, 'Allow once')
    await expectStatus(card(page, 'get-roots-list'), 'Finished')
    await expectShown(page, 'get-roots-list', 'no roots are currently configured')
    const wish = page.getByRole('main').getByText('everything wants access to a folder.')
    const unmet = page.getByRole('main').getByText('Parley does not know everything.')
    await test.step('are offered after the question, one offer at a time', async () => {
      await expect(consent(page)).toContainText('echo')
      await expect(wish).toBeHidden()
      await answer(page, 'Allow once')
      await expect(wish).toBeVisible()
      await expectStatus(card(page, 'echo'), 'Finished')
      await expect(page.getByRole('button', { name: 'Retry', exact: true })).toBeVisible()
      await expect(unmet).toBeHidden()
    })
    await page.getByRole('button', { name: 'Choose folders' }).press('Enter')
    const choosing = page.getByRole('dialog', { name: 'Folders for everything' })
    await expect(choosing.getByRole('button', { name: 'Share', exact: true })).toBeDisabled()
    await expect(choosing.getByRole('checkbox', { checked: true })).toHaveCount(0)
    await expectNoFaults(page)
    const own = folder(shell, 'of everything')
    await pick(shell, own)
    await choosing.getByRole('button', { name: 'Share', exact: true }).press('Enter')
    await expect(wish).toHaveCount(0)
    await expect(choosing).toHaveCount(0)
    await expect(unmet).toBeVisible()
    await send(page, 'use everything/get-roots-list')
    await answer(page, 'Allow once')
    await expectShown(page, 'get-roots-list', pathToFileURL(own).href)
  })

  test.describe('at a published server', () => {
    test.use({ shellOptions: { env: { PATH: pathWithNpx() } } })

    test('let files be changed where that is ticked, except those that programs obey, and a change be undone', async ({
      shell,
      page,
    }) => {
      const notes = folder(shell, 'of-edits')
      await writeFile(join(shell.folder, 'mcp.json'), JSON.stringify({ mcpServers: { files: filesystemByNpx(notes) } }))
      await shell.trustServer('allow')
      await expectServerState(page, 'files', 'Ready')
      const own = page.getByRole('dialog', { name: 'Folders, sites and people' })
      const open = async () => {
        await page.getByRole('main').getByRole('button', { name: 'More about this conversation' }).click()
        await page.getByRole('menuitem', { name: 'Folders, sites and people …' }).click()
      }
      await newConversation(page)
      await send(page, 'hello')
      await expect(page.getByRole('article')).toHaveCount(2)
      await open()
      await pick(shell, notes)
      const editable = own.getByRole('checkbox', { name: `May change files here in ${notes}` })
      await tick(editable)
      await expect(editable).toBeChecked()
      await expectNoFaults(page)
      await own.getByRole('button', { name: 'Done' }).click()

      await send(page, `use files/write_file with path="${notes}/todo.md" content=one`)
      await expectStatus(card(page, 'write_file'), 'Finished')
      await test.step('share the folder of their command with one click', async () => {
        await press(page.getByRole('main').getByRole('button', { name: `Share ${notes}` }))
        await expect(page.getByRole('main').getByText('files wants access to a folder.')).toHaveCount(0)
        await goTo(page, 'Servers')
        await expect(serverRow(page, 'files')).not.toContainText('Wants a folder')
        await page.goBack()
      })
      await send(page, `use files/write_file with path="${notes}/package.json" content=two`)
      await expect(consent(page)).toContainText('Programs or models may obey')
      await answer(page, 'Deny')

      await open()
      await tick(editable, false)
      await own.getByRole('button', { name: 'Done' }).click()
      const todo = join(notes, 'todo.md')
      await send(page, `use files/read_text_file with path="${todo}" then files/write_file with path="${todo}" content=two`)
      await expect(consent(page)).toContainText('write_file')
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'write_file'), 'Finished')
      await test.step('and a change is undone after a question of its own', async () => {
        const write = await openCall(card(page, 'write_file'))
        const undo = write.getByRole('button', { name: 'Undo', exact: true })
        await expect(undo).toBeVisible()
        // It stands beside the line, not below a result that repeats the change.
        await write.getByRole('button', { expanded: true }).first().press('Tab')
        await expect(undo).toBeFocused()
        await page.keyboard.press('Enter')
        const question = page.getByRole('dialog', { name: 'Undo this change?' })
        await expect(question).toContainText('todo.md')
        await expectNoFaults(page)
        expect(await readFile(todo, 'utf8')).toBe('two')
        await press(question.getByRole('button', { name: 'Allow once' }))
        await expect(write).toContainText('Undone')
        await expect(write.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0)
        expect(await readFile(todo, 'utf8')).toBe('one')
      })
    })
  })

  test('of a conversation mark the paths of its calls, and no server learns of them unasked (ROOT-13, ROOT-17, ROOT-20)', async ({
    shell,
    page,
  }) => {
    await addAsker(shell)
    await test.step('of a conversation mark the paths of its calls, and no server is told of them', async () => {
      const notes = folder(shell, 'of a talk')
      await newConversation(page)
      await send(page, 'hello')
      await expect(page.getByRole('article')).toHaveCount(2)
      await page.getByRole('button', { name: 'More about this conversation' }).click()
      await page.getByRole('menuitem', { name: 'Folders, sites and people …' }).click()
      const own = page.getByRole('dialog', { name: 'Folders, sites and people' })
      await expect(own).toContainText('Servers are not told about them.')
      await pick(shell, notes)
      await expect(own.getByRole('list', { name: 'Folders' })).toContainText(notes)
      await expect(own.getByRole('link', { name: 'asks' })).toHaveAttribute('href', /roots/)
      await expectNoFaults(page)
      await own.getByRole('button', { name: 'Done' }).click()
      await send(page, 'use asks/read with path=/etc/passwd')
      await expect(consent(page)).toContainText('is outside what you named')
      await answer(page, 'Deny')
      await page.getByRole('main').getByRole('button', { name: 'More about this conversation' }).click()
      await page.getByRole('menuitem', { name: 'Folders, sites and people …' }).click()
      await own.getByRole('button', { name: `Remove ${notes}` }).click()
      await expect(own).toContainText('None.')
      await page.keyboard.press('Escape')
    })
    await test.step('are asked about before a server is told of any; none is a valid choice', async () => {
      await letAsk(page, 'roots')
      await expect(folders(page)).toContainText('not a sandbox')
      await expect(folders(page).getByRole('button', { name: 'Don’t share' })).toBeFocused()
      await expect(folders(page).getByRole('button', { name: 'Share', exact: true })).toBeDisabled()
      await folders(page).getByRole('button', { name: 'Don’t share' }).click()
      await expectAnswer(page, { result: { roots: [] } })
    })
  })

  test('for a server are refused with a reason, or chosen, sent, listed, removed and announced again (ROOT-03, ROOT-09, ROOT-14)', async ({
    shell,
    page,
  }) => {
    await addAsker(shell)
    await test.step('that cannot be shared are refused with a reason', async () => {
      await goTo(page, 'Servers')
      await page.getByRole('main').getByRole('link', { name: 'asks', exact: true }).click()
      await page.getByRole('tab', { name: 'Roots' }).click()
      await pick(shell, shell.folder)
      await expect(page.getByRole('alert')).toContainText('holds Parley’s own data')
      await expect(page.getByText('Not decided: when a call needs folders, you are asked.')).toBeVisible()
    })
    await test.step('that are chosen are what the server is told, and are listed, removed and announced again', async () => {
      const notes = folder(shell, 'my notes')
      await letAsk(page, 'roots')
      await pick(shell, notes)
      await expect(folders(page).getByRole('list', { name: 'Added folders' })).toContainText(notes)
      await folders(page).getByRole('checkbox', { name: 'Remember this choice' }).check()
      await press(folders(page).getByRole('button', { name: 'Share', exact: true }))
      await expectAnswer(page, listed(notes))

      await goTo(page, 'Servers')
      await page.getByRole('main').getByRole('link', { name: 'asks', exact: true }).click()
      await page.getByRole('tab', { name: 'Roots' }).click()
      await expect(page.getByRole('list', { name: 'Folders', exact: true })).toContainText(notes)
      await expect(page.getByRole('table')).toContainText(notes)
      const second = folder(shell, 'second')
      await pick(shell, second)
      await expect(page.getByRole('list', { name: 'Folders', exact: true }).getByRole('listitem')).toHaveCount(2)
      await page.getByRole('button', { name: `Remove ${notes}` }).click()
      await expect(page.getByRole('list', { name: 'Folders', exact: true }).getByRole('listitem')).toHaveCount(1)

      await letAsk(page, 'roots')
      await expectAnswer(page, listed(second))
      await send(page, 'use asks/ask with what=heard')
      await answer(page, 'Allow once')
      await expectShown(page, 'ask', 'notifications/roots/list_changed')
    })
  })

  test('named when the server was allowed are known to it at once, and mark what is outside (ROOT-13, ROOT-20)', {
    tag: '@long',
  }, async ({ shell, page }) => {
    const notes = folder(shell, 'inside')
    await nameOnTrust(shell, notes)
    await letAsk(page, 'roots')
    await expectAnswer(page, listed(notes))
    await newConversation(page)
    await send(page, 'use asks/read with path=/etc/passwd')
    await expect(consent(page)).toContainText('is outside what you named')
    await answer(page, 'Allow once')
    await expectStatus(card(page, 'read'), 'Finished')
    await send(page, `use asks/read with path="${notes}/todo.md"`)
    await expect(consent(page)).toContainText('todo.md')
    await expect(consent(page)).not.toContainText('is outside what you named')
    await answer(page, 'Deny')
  })
})
