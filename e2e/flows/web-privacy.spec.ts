import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { test as base, expect } from '../shells/shell-test.ts'
import { watchPage } from '../shells/watch-page.ts'
import { until } from '../support/until.ts'
import {
  addTrustedServer,
  answer,
  card,
  everything,
  expectShown,
  expectStatus,
  goTo,
  goToSettings,
  newConversation,
  send,
} from './steps.ts'

const noting = fileURLToPath(new URL('../support/note-connections.mjs', import.meta.url))
const notesIn = (folder: string) => join(folder, 'connections')

const test = base.extend({
  shellOptions: async ({ tempFolder }, use) =>
    use({ env: { NODE_OPTIONS: `--import ${pathToFileURL(noting)}`, NOTE_CONNECTIONS: notesIn(tempFolder) } }),
})

test('nothing leaves this computer unless a person asks for it, and the settings say so', async ({ shell, page, tempFolder }) => {
  const notes = notesIn(tempFolder)
  const noted = () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [])
  const seen = watchPage(page, ({ hostname, protocol }) => hostname === '127.0.0.1' || ['data:', 'blob:'].includes(protocol))
  await addTrustedServer(shell, everything)
  await newConversation(page)
  await send(page, 'use everything/echo with message="stays here"')
  await answer(page, 'Allow once')
  await expectStatus(card(page, 'echo'), 'Finished')
  await expectShown(page, 'echo', 'Echo: stays here')
  await page.reload()
  await goToSettings(page, 'Privacy')
  const privacy = page.getByRole('region', { name: 'Privacy' })
  await expect(privacy).toContainText('No telemetry')
  await expect(privacy.getByRole('listitem')).toHaveText([/^Programs you added as servers.*everything/s])
  expect([noted(), seen]).toEqual([[], []])

  // An address that nobody has (RFC 5737): the attempt is noted, and named before it is made.
  await goTo(page, 'Servers')
  await page.getByRole('button', { name: 'Add server' }).first().click()
  await page.getByRole('radio', { name: /Remote/ }).check()
  await page.getByRole('textbox', { name: 'Name' }).fill('far')
  await page.getByRole('textbox', { name: 'URL' }).fill('https://192.0.2.1:9/mcp')
  await page.getByRole('button', { name: 'Save' }).click()
  await shell.trustServer('allow')
  await until(() => noted().includes('connects to 192.0.2.1'), 'the attempt to connect')
  await goToSettings(page, 'Privacy')
  await expect(privacy.getByRole('listitem').first()).toContainText('192.0.2.1')
})
