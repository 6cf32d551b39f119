import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expectNoFaults } from '../shells/axe.ts'
import { test as base, expect } from '../shells/shell-test.ts'
import {
  answer,
  card,
  consent,
  expectServerState,
  expectShown,
  expectStatus,
  goTo,
  newConversation,
  send,
  server,
  serverRow,
} from './steps.ts'

/** The official server of 2026-07-28 over HTTP, which refuses a call whose headers differ from its body. */
const test = base.extend<{ modern: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
  modern: async ({}, use) => {
    const program: ChildProcess = spawn(process.execPath, [server('sdk/modern/http.mjs'), 'reject'], {
      env: { ...process.env, FORCE_COLOR: '0' },
    })
    if (!program.stdout) throw new Error('The server says nothing.')
    const [port] = await once(program.stdout, 'data')
    await use(`http://127.0.0.1:${String(port).trim()}/mcp`)
    program.kill()
  },
})

test('arguments sent as headers are named before a call and on the tool’s page (V26-HTTP-9, V26-HTTP-29)', {
  tag: '@long',
}, async ({ shell, page, modern }) => {
  await goTo(page, 'Servers')
  await page.getByRole('button', { name: 'Add server' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  await dialog.getByRole('radio', { name: 'Remote' }).check()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('modern')
  await dialog.getByRole('textbox', { name: 'URL' }).fill(modern)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await shell.trustServer('allow')
  await expectServerState(page, 'modern', 'Ready')
  await newConversation(page)
  await send(page, 'use modern/where with region="Zürich " q="x"')
  await expect(consent(page)).toContainText('Sent as a header too: region')
  await expectNoFaults(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/consent.png` })
  await answer(page, 'Allow once')
  await expectStatus(card(page, 'where'), 'Finished')
  await expectShown(page, 'where', 'Zürich')
  await expectServerState(page, 'modern', 'Ready')
  await serverRow(page, 'modern').getByRole('link', { name: 'modern' }).click()
  await page.getByRole('tab', { name: 'Tools' }).click()
  await page.getByRole('link', { name: 'where' }).click()
  await expect(page.getByText('Sent as a header too: region')).toBeVisible()
  await expectNoFaults(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/tool.png`, fullPage: true })
})
