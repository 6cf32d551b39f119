import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoFaults } from '../shells/axe.ts'
import { press, tick } from '../shells/press.ts'
import type { RunningShell } from '../shells/running-shell.ts'
import { expect, test } from '../shells/shell-test.ts'
import {
  addTrustedServer,
  answer,
  card,
  consent,
  expectServerState,
  expectStatus,
  goTo,
  goToSettings,
  newConversation,
  official,
  openCall,
  send,
  server,
} from './steps.ts'

/** A folder with four notes, and the filesystem server on it. */
async function addShop(shell: RunningShell): Promise<string> {
  const shop = join(shell.folder, 'shop')
  mkdirSync(shop)
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(shop, `${name}.md`), `what note ${name} says`)
  await addTrustedServer(shell, { name: 'filesystem', args: [official('server-filesystem'), shop] })
  return shop
}

const read = (...paths: string[]) => `use ${paths.map((path) => `filesystem/read_text_file with path="${path}"`).join('; ')}`
const cardOf = (page: Page, path: string) =>
  page.getByRole('group', { name: 'Tool call: read_text_file', exact: true }).filter({ hasText: path })
const rules = (page: Page) => page.getByRole('list', { name: 'Rules' })
const simulator = (page: Page) => page.getByRole('form', { name: 'Test a call' })
const verdict = (page: Page) => simulator(page).getByRole('status', { name: 'Verdict' })

async function tryCall(page: Page, tool: string, args: unknown): Promise<void> {
  const form = simulator(page)
  await form.getByRole('combobox', { name: 'Server' }).selectOption('filesystem')
  await form.getByRole('combobox', { name: 'Tool' }).selectOption(tool)
  await form.getByRole('textbox', { name: 'Arguments' }).fill(JSON.stringify(args))
  await form.getByRole('button', { name: 'Try' }).click()
}

test.describe('consent for a round', () => {
  test('asks once about all calls of a round, passes what a rule allows, and keeps the rule over a restart', async ({
    shell,
    page,
  }) => {
    await test.step('asks once about all calls of a round, and denies those that are not ticked', async () => {
      const shop = await addShop(shell)
      const [a, b, c] = ['a', 'b', 'c'].map((name) => join(shop, `${name}.md`))
      await newConversation(page)
      await send(page, read(`${a}`, `${b}`, `${c}`))
      const question = page.getByRole('dialog', { name: 'Allow these tool calls?' })
      const allow = question.getByRole('button', { name: 'Allow once' })
      await expect(allow).toBeEnabled()
      await expect(question.getByRole('button', { name: 'Deny' })).toBeFocused()
      await expect(question.getByRole('checkbox', { checked: true })).toHaveCount(3)
      await expect(question.getByRole('cell', { name: `${a}`, exact: true })).toHaveCSS('font-variant-ligatures', 'none')
      await expectNoFaults(page)
      for (const path of [a, b, c]) await question.getByRole('checkbox', { name: `read_text_file ${path}` }).uncheck()
      await expect(allow).toBeDisabled()
      await expect(question.getByRole('button', { name: / in this conversation$/ })).toBeDisabled()
      for (const path of [a, c]) await question.getByRole('checkbox', { name: `read_text_file ${path}` }).check()
      await expect(allow).toHaveAccessibleDescription('2 of 3 calls')
      await press(allow)
      await expectStatus(cardOf(page, `${a}`), 'Finished')
      await expectStatus(cardOf(page, `${b}`), 'Declined')
      await expectStatus(cardOf(page, `${c}`), 'Finished')
      await expect(page.getByRole('main')).toContainText('what note c says')
      await expect(page.getByRole('main')).not.toContainText('what note b says')
      await expect(consent(page)).toHaveCount(0)
    })
    await test.step('a rule lets its like pass, has the unlike asked, and stands in Settings after a restart', async () => {
      const shop = join(shell.folder, 'shop')
      await newConversation(page)
      await send(page, read(join(shop, 'a.md')))
      // As at a zoom of 200 %.
      await page.setViewportSize({ width: 640, height: 360 })
      await expect(consent(page).getByRole('cell', { name: 'a.md' })).toBeInViewport({ ratio: 1 })
      for (const name of ['Deny', 'Allow once', 'Stop']) {
        await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
      }
      await page.setViewportSize({ width: 1280, height: 720 })
      await expect(consent(page).getByRole('button', { name: / always$/ })).toHaveCount(0)
      await consent(page).getByRole('button', { name: 'More choices' }).click()
      await expect(
        consent(page)
          .getByRole('menuitem', { name: / always$/ })
          .first(),
      ).toBeEnabled()
      await page.keyboard.press('Escape')
      await answer(page, 'Allow in this conversation')
      await expectStatus(cardOf(page, 'a.md'), 'Finished')
      await send(page, read(join(shop, 'b.md')))
      await expectStatus(cardOf(page, 'b.md'), 'Finished')
      await expect(await openCall(cardOf(page, 'b.md'))).toContainText('Allowed by your rule for this conversation')
      await send(page, `use filesystem/write_file with path="${join(shop, 'e.md')}" content=new`)
      await expect(consent(page)).toContainText('write_file')
      await answer(page, 'Deny')
      await expectStatus(card(page, 'write_file'), 'Declined')

      const again = await shell.restart()
      await goToSettings(again, 'Consent rules')
      const row = rules(again)
        .getByRole('listitem')
        .filter({ hasText: `filesystem reads ${shop}` })
      await expect(row).toBeVisible()
      await expect(row).toContainText('Used 1 time')
      await row.getByRole('button', { name: 'Remove' }).click()
      await expect(row).toHaveCount(0)
    })
  })

  test('shows verdicts in Settings, accepts rules that ask or deny, and imports none that allow', { tag: '@long' }, async ({
    shell,
    page,
  }) => {
    const shop = await addShop(shell)
    await newConversation(page)
    await send(page, read(join(shop, 'a.md')))
    await answer(page, 'Always allow')
    await expectStatus(cardOf(page, 'a.md'), 'Finished')
    await goToSettings(page, 'Consent rules')
    await tryCall(page, 'read_text_file', { path: join(shop, 'd.md') })
    await expect(verdict(page).getByText('Allowed', { exact: true })).toBeVisible()
    await tryCall(page, 'write_file', { path: join(shop, 'd.md'), content: 'x' })
    await expect(verdict(page).getByText('Asked', { exact: true })).toBeVisible()
    await expect(verdict(page)).toContainText(/Let .* in this conversation/)
    await expectNoFaults(page)

    await page.getByRole('button', { name: 'Add rule' }).click()
    const editor = page.getByRole('dialog', { name: 'Add rule' })
    await editor.getByRole('radio', { name: 'Deny' }).check()
    await editor.getByRole('combobox', { name: 'Server' }).selectOption('filesystem')
    await editor.getByRole('checkbox', { name: 'Changes' }).check()
    await editor.getByRole('textbox', { name: 'In these folders' }).fill('shop')
    await editor.getByRole('button', { name: 'Add' }).click()
    await expect(editor).toContainText('Enter an absolute path')
    await editor.getByRole('textbox', { name: 'In these folders' }).fill(shop)
    await expectNoFaults(page)
    await editor.getByRole('button', { name: 'Add' }).click()
    await expect(editor).toHaveCount(0)
    await tryCall(page, 'write_file', { path: join(shop, 'd.md'), content: 'x' })
    await expect(verdict(page).getByText('Denied', { exact: true })).toBeVisible()

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export rules' }).click(),
    ])
    const json = await readFile(await download.path(), 'utf8')
    for (const row of await rules(page).getByRole('listitem').all()) await expect(row).toBeVisible()
    const before = await rules(page).getByRole('listitem').count()
    for (let left = before; left > 0; left -= 1) {
      await rules(page).getByRole('button', { name: 'Remove' }).first().click()
      await expect(rules(page).getByRole('listitem')).toHaveCount(left - 1)
    }
    await page
      .getByLabel('Exported rules')
      .setInputFiles({ name: 'rules.json', mimeType: 'application/json', buffer: Buffer.from(json) })
    await expect(page.getByText(`1 rule added. ${before - 1} rule`)).toBeVisible()
    await expect(rules(page).getByRole('listitem')).toHaveCount(1)
    await expect(rules(page)).toContainText('Deny')
  })

  test('counts added powers and trusted hints for the next call, pauses rules when a server is updated, and resumes them with one click', {
    tag: '@long',
  }, async ({ shell, page }) => {
    await test.step('counts added powers and trusted hints for the next call', async () => {
      await addTrustedServer(shell, { name: 'ok', args: [server('small/ok.mjs')] })
      await goTo(page, 'Servers')
      await page.getByRole('main').getByRole('link', { name: 'ok', exact: true }).click()
      await tick(page.getByRole('switch', { name: 'Trust this server’s hints' }))
      await page.getByRole('tab', { name: 'Tools' }).click()
      await page.getByRole('link', { name: 'echo', exact: true }).click()
      await expect(page.getByText('From the server’s hints, which you trust.')).toBeVisible()
      await page.getByRole('button', { name: 'Say what it does' }).click()
      const sheet = page.getByRole('dialog', { name: 'What echo does' })
      await sheet.getByRole('radio', { name: 'Destroys' }).check()
      await expectNoFaults(page)
      await press(sheet.getByRole('button', { name: 'Save' }))
      await expect(page.getByRole('main')).toContainText('You added to it.')
      await newConversation(page)
      await send(page, 'use ok/echo with text=hi')
      await expect(consent(page)).toContainText('Destroys')
      await answer(page, 'Deny')
    })
    await test.step('pauses rules when a server is updated, and resumes them with one click', async () => {
      const bin = join(shell.folder, '..', `${shell.folder.split('/').at(-1)}-bin`)
      mkdirSync(bin, { recursive: true })
      writeFileSync(join(bin, 'npx'), `#!/bin/sh\nexec "${process.execPath}" "${server('small/ok.mjs')}"\n`, { mode: 0o755 })
      const start = async (version: string) => {
        const notes = { command: 'npx', args: ['-y', `acme-notes@${version}`], env: { PATH: `${bin}:/usr/bin:/bin` } }
        writeFileSync(join(shell.folder, 'mcp.json'), JSON.stringify({ mcpServers: { notes } }))
        await shell.trustServer('allow')
        await expectServerState(page, 'notes', 'Ready')
      }
      await start('1.2.0')
      await newConversation(page)
      await send(page, 'use notes/echo with text=hi')
      await answer(page, 'Allow in this conversation')
      await expectStatus(card(page, 'echo'), 'Finished')
      const conversation = page.url()
      await start('1.3.0')
      await goTo(page, 'Servers')
      await page.getByRole('main').getByRole('link', { name: 'notes', exact: true }).click()
      await expect(page.getByText('The same: echo')).toBeVisible()
      await expectNoFaults(page)
      await press(page.getByRole('button', { name: 'Resume rule' }))
      await expect(page.getByText('The same: echo')).toHaveCount(0)
      await page.goto(conversation)
      await send(page, 'use notes/echo with text=hi')
      await expect(page.getByRole('group', { name: 'Tool call: echo' })).toHaveCount(2)
      await expectStatus(card(page, 'echo'), 'Finished')
    })
  })
})
