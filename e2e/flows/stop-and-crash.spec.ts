import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectNoFaults } from '../shells/axe.ts'
import { expect, test } from '../shells/shell-test.ts'
import { processes } from '../shells/web-process.ts'
import {
  addTrustedServer,
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
} from './steps.ts'

const stubborn = { name: 'stubborn', args: [server('stubborn.mjs')] }

test.describe('a running turn', () => {
  test('is stopped in a call or a text, asks over a reload, runs calls in parallel, and reports failures (CANC-12, SEC-08, TOOL-34)', async ({
    shell,
    page,
  }) => {
    await test.step('Stop cancels a call in the middle and says so', async () => {
      await newConversation(page)
      await send(page, 'use playground/slow-task with seconds=60')
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'slow-task'), 'Running')
      await expect(card(page, 'slow-task').getByRole('progressbar')).toBeVisible()
      await page.getByRole('button', { name: 'Stop' }).click()
      await expectStatus(card(page, 'slow-task'), 'Cancelled')
      await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
    })
    await test.step('Stop ends a text that streams and keeps what was said', async () => {
      await newConversation(page)
      await send(page, 'count to 2000')
      await expect(page.getByText(/\b1 2 3 4 5/)).toBeVisible()
      await page.getByRole('button', { name: 'Stop' }).click()
      await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
      await expect(page.getByText(/\b1 2 3 4 5/)).toBeVisible()
      await expect(page.getByText('Stopped.', { exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
      await page.getByRole('button', { name: 'Retry', exact: true }).click()
      await expect(page.getByText('Stopped.', { exact: true })).toHaveCount(0)
      await expect(page.getByText(/\b1 2 3 4 5/)).toBeVisible()
      await page.getByRole('button', { name: 'Stop' }).click()
      await expect(page.getByText('Stopped.', { exact: true })).toBeVisible()
      await expect(page.getByRole('group', { name: 'Versions' })).toContainText('2/2')
    })
    await test.step('a question survives a reload and is answered once, in one of two windows', async () => {
      await newConversation(page)
      await send(page, 'use playground/add with a=7 b=8')
      await expect(consent(page)).toBeVisible()
      await page.reload()
      await expect(consent(page)).toBeVisible()
      if (shell.kind === 'web') {
        const second = await shell.openWindow()
        await goTo(second, 'Inbox')
        await expect(second.getByRole('main')).toContainText('add')
      }
      await answer(page, 'Allow once')
      await expectShown(page, 'add', '7 + 8 = 15')
    })
    await test.step('several calls in one turn run side by side, after one question', async () => {
      await newConversation(page)
      await send(page, 'use playground/add with a=1 b=1; describe-text with text="to be"')
      await answer(page, 'Allow once')
      await expectShown(page, 'add', '1 + 1 = 2')
      await expectStatus(card(page, 'describe-text'), 'Finished')
      await expectShown(page, 'describe-text', 'longestWord')
    })
    await test.step('a tool that fails is a result, not an accident', async () => {
      await newConversation(page)
      await send(page, 'use playground/always-fails with reason="no luck today"')
      await answer(page, 'Allow once')
      await expectShown(page, 'always-fails', 'no luck today')
      await expect(page.getByText('could not do it')).toBeVisible()
    })
    await test.step('Escape sets a question aside and never answers it', async () => {
      await newConversation(page)
      await send(page, 'use playground/add with a=1 b=2')
      await expect(consent(page)).toBeVisible()
      await consent(page).press('Escape')
      await expect(consent(page)).toHaveCount(0)
      await expectStatus(card(page, 'add'), 'Needs you')
      await goTo(page, 'Inbox')
      await expect(page.getByRole('main')).toContainText('add')
    })
  })

  test('fails a call whose server was killed, which comes back, and quitting ends a server that ignores it (LIFE-39, LIFE-41, LIFE-35)', {
    tag: '@long',
  }, async ({ shell, page, tempFolder }) => {
    const hold = join(tempFolder, 'hold')
    await addTrustedServer(shell, { name: 'held', args: [server('small/held.mjs'), hold] })
    await test.step('a server killed in the middle of a call fails that call and comes back', async () => {
      await addTrustedServer(shell, stubborn)
      await newConversation(page)
      await send(page, 'use stubborn/wait with ms=60000')
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'wait'), 'Running')
      const [running] = processes(({ parent, command }) => parent === shell.pid && command.includes('stubborn.mjs'))
      process.kill(running?.pid ?? 0, 'SIGKILL')
      await expectStatus(card(page, 'wait'), 'Failed')
      await expect(card(page, 'wait')).toContainText('stubborn')
      await expectServerState(page, 'stubborn', 'Ready')
      const [again] = processes(({ parent, command }) => parent === shell.pid && command.includes('stubborn.mjs'))
      expect(again?.pid).not.toBe(running?.pid)
    })
    await test.step('quitting ends a server that ignores every request to end', async () => {
      const mine = processes(({ parent, command }) => parent === shell.pid && command.includes('stubborn.mjs'))
      expect(mine).toHaveLength(1)
      await page.evaluate(() => {})
      await shell.quit()
      expect(processes(({ pid }) => mine.some((one) => one.pid === pid))).toEqual([])
    })
    await test.step('after a restart a call waits for the start of its server, says so, and runs then', async () => {
      writeFileSync(hold, '')
      const again = await shell.restart()
      await newConversation(again)
      await send(again, 'use held/echo with text=hi')
      await answer(again, 'Allow once')
      await expectStatus(card(again, 'echo'), 'Starting held …')
      await expectNoFaults(again)
      rmSync(hold)
      await expectStatus(card(again, 'echo'), 'Finished')
    })
  })
})
