import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectNoFaults } from '../shells/axe.ts'
import { expect, test } from '../shells/shell-test.ts'
import { walkTo } from './keyboard-steps.ts'
import {
  addTrustedServer,
  answer,
  card,
  expectServerState,
  expectStatus,
  goTo,
  newConversation,
  send,
  server,
  serverRow,
} from './steps.ts'

test('a call in the background is left by its reply, listed after a reload, marked when it ends, and given to the model by keys (TASK-31, TASK-32, TASK-33)', async ({
  page,
  shell,
  tempFolder,
}) => {
  const folder = join(tempFolder, 'tasks')
  mkdirSync(folder)
  const phase = (now: string) => writeFileSync(join(folder, 'phase'), now)
  await addTrustedServer(shell, { name: 'far', args: [server('sdk/tasks.mjs'), 'session', folder] })
  await newConversation(page)
  await send(page, 'use far/report')
  await answer(page, 'Allow once')
  await expectStatus(card(page, 'report'), 'In the background')
  const without = card(page, 'report').getByRole('button', { name: 'Continue without it' })
  await expect(without).toBeVisible()
  await expectNoFaults(page)
  await walkTo(page, without)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
  await expectStatus(card(page, 'report'), 'In the background')
  await page.reload()
  await expectStatus(card(page, 'report'), 'In the background')

  await goTo(page, 'Inbox')
  const row = page.getByRole('region', { name: 'In the background' }).getByRole('listitem')
  await expect(row).toContainText('report · far')
  await expect(row.getByRole('button', { name: 'Cancel this call' })).toBeVisible()
  await expectNoFaults(page)
  phase('done')
  await expect(row).toContainText('Finished')
  await expect(row.getByRole('button')).toHaveCount(0)
  await walkTo(page, row.getByRole('link'))
  await page.keyboard.press('Enter')
  await expectStatus(card(page, 'report'), 'Finished')
  const give = card(page, 'report').getByRole('button', { name: 'Give result to the model' })
  await expect(give).toBeVisible()
  await expectNoFaults(page)
  await walkTo(page, give)
  await page.keyboard.press('Enter')
  await expect(page.getByText('The result of “report” is there now.')).toBeVisible()
  await expect(give).toHaveCount(0)
  await goTo(page, 'Inbox')
  await expect(page.getByText('Inbox is empty')).toBeVisible()

  await goTo(page, 'Servers')
  await serverRow(page, 'far').getByRole('link').first().click()
  await page.getByRole('tab', { name: 'Tools' }).click()
  await page.getByRole('main').getByRole('link', { name: /quick/ }).first().click()
  const aside = page.getByRole('switch', { name: 'Run in the background' })
  await aside.click()
  await page.reload()
  await expect(aside).toBeChecked()
  await expectNoFaults(page)

  await goTo(page, 'Servers')
  await serverRow(page, 'far').getByRole('link').first().click()
  const tasks = page.getByRole('switch', { name: 'Tasks' })
  await tasks.click()
  await page.reload()
  await expect(tasks).not.toBeChecked()
  await expectServerState(page, 'far', 'Ready')
  await serverRow(page, 'far').getByRole('link').first().click()
  await page.getByRole('tab', { name: 'Tools' }).click()
  await page.getByRole('main').getByRole('link', { name: /quick/ }).first().click()
  await expect(aside).toHaveCount(0)
})
