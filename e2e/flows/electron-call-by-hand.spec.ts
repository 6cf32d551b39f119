import type { Page } from '@playwright/test'
import { DoubleShell } from '../shells/double-shell.ts'
import { press } from '../shells/press.ts'
import { test as base, expect } from '../shells/shell-test.ts'
import {
  addTrustedServer,
  callByHand,
  card,
  consent,
  expectStatus,
  goTo,
  newConversation,
  send,
  server,
  serverRow,
} from './steps.ts'

const test = base.extend<{ app: DoubleShell }>({
  app: async ({ shell }, use) => {
    if (!(shell instanceof DoubleShell)) throw new Error('This spec is about the desktop shell')
    await addTrustedServer(shell, { name: 'ok', args: [server('small/ok.mjs')] })
    await use(shell)
  },
})

interface Box {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly string[]
  readonly defaultId: number
  readonly cancelId: number
}

/** The native boxes about calls, oldest first. */
const boxes = (app: DoubleShell) =>
  app
    .called('dialog.showMessageBox')
    .map(([box]) => box as Box)
    .filter(({ message }) => message.startsWith('Run '))

async function openTab(page: Page, tab: string): Promise<void> {
  await goTo(page, 'Servers')
  await serverRow(page, 'ok').getByRole('link', { name: 'ok', exact: true }).click()
  await page.getByRole('tab', { name: tab, exact: true }).click()
}

async function fillEcho(page: Page, text: string): Promise<void> {
  await openTab(page, 'Tools')
  await page.getByRole('main').getByRole('link', { name: 'echo' }).first().click()
  await page.getByRole('textbox', { name: 'text' }).fill(text)
}

test.describe('a call by hand', () => {
  test('needs the native box, unless the person always allows the tool (SEC-08)', async ({ app }) => {
    await test.step('needs the native box, whose Deny sends nothing', async () => {
      const { page } = app
      await fillEcho(page, 'said by hand')
      await press(page.getByRole('button', { name: 'Run', exact: true }))
      await expect(page.getByRole('main')).toContainText('Denied. Nothing was sent.')
      const [box, ...more] = boxes(app)
      expect(more).toEqual([])
      expect(box?.message).toBe('Run “echo” on “ok”?')
      expect(box?.detail).toContain('{\n  "text": "said by hand"\n}')
      expect([box?.buttons[box.defaultId], box?.buttons[box.cancelId]]).toEqual(['Deny', 'Deny'])
      await openTab(page, 'Traffic')
      await expect(page.getByRole('main')).toContainText('tools/list')
      await expect(page.getByRole('main')).not.toContainText('tools/call')
    })
    await test.step('runs when the native box is answered with Allow', async () => {
      const { page } = app
      await fillEcho(page, 'said by hand')
      await callByHand(app)
      await expect(page.getByRole('main').locator('.content-result')).toContainText('said by hand')
      expect(boxes(app).length).toBe(2)
      await openTab(page, 'Traffic')
      await expect(page.getByRole('main')).toContainText('tools/call')
    })
    await test.step('shows no box for a tool that the person always allows', async () => {
      const { page } = app
      await newConversation(page)
      await send(page, 'use ok/echo with text=once')
      await consent(page).getByRole('button', { name: 'More choices' }).click()
      await consent(page).getByRole('menuitem', { name: 'Let ok use echo with any arguments always …' }).press('Enter')
      await press(page.getByRole('dialog', { name: 'Always, with any arguments?' }).getByRole('button', { name: 'Always allow' }))
      await expectStatus(card(page, 'echo'), 'Finished')
      await fillEcho(page, 'said by hand')
      await press(page.getByRole('button', { name: 'Run', exact: true }))
      await expect(page.getByRole('main').locator('.content-result')).toContainText('said by hand')
      expect(boxes(app).length).toBe(2)
    })
  })
})
