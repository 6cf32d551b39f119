import type { Page } from '@playwright/test'
import { expectNoFaults } from '../shells/axe.ts'
import { expect, test } from '../shells/shell-test.ts'
import { startModelApi } from '../support/model-api.ts'
import { connectModel } from './question-steps.ts'
import {
  addTrustedServer,
  answer,
  card,
  chooseModel,
  consent,
  expectStatus,
  goTo,
  newConversation,
  send,
  server,
} from './steps.ts'

/** The page as it is passes the axe checks, at 200 %, too, and promised names are unmistakable. It is the same page in both shells. */
async function expectAccessible(page: Page): Promise<void> {
  await expectNoFaults(page)
  await expectNamesOnce(page)
}

/** Names that people and tests go by; each stands for one control of a screen, also as a part of longer names. */
const PROMISED = {
  button: ['Send', 'Stop', 'New conversation', 'Add server', 'Allow once', 'More choices', 'Deny', 'Save'],
  link: ['Conversations', 'Servers', 'Inbox', 'Settings'],
  textbox: ['Message', 'Name', 'Command', 'Arguments', 'URL'],
} as const

async function expectNamesOnce(page: Page): Promise<void> {
  for (const role of ['button', 'link', 'textbox'] as const) {
    for (const name of PROMISED[role]) {
      const named = await page.getByRole(role, { name }).count()
      expect(named, `controls of role ${role} named ${name}`).toBeLessThanOrEqual(1)
    }
  }
}

const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
})

test('the newcomer’s page, a conversation, a narrow window, small dialogs, the forms of a model and a server, and a page without a session pass the axe checks', async ({
  page,
  shell,
}) => {
  const wide = page.viewportSize() ?? { width: 1280, height: 720 }
  await expect(title(page, 'Welcome to Parley')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 700, height: 820 })
  await page.getByRole('button', { name: 'Open the navigation' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expectNoFaults(page)
  await page.keyboard.press('Escape')
  await page.setViewportSize(wide)
  await page.evaluate(() => (location.hash = '#/conversations/new'))
  await send(page, 'use add with a=2 b=3')
  await expect(consent(page).getByRole('button', { name: 'Allow once' })).toBeEnabled()
  await expectAccessible(page)
  await answer(page, 'Allow once')
  await expectStatus(card(page, 'add'), 'Finished')
  await expectAccessible(page)
  const opened = async (name: string | RegExp) => {
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    await expectNoFaults(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name })).toHaveCount(0)
  }
  const api = await startModelApi(() => ({ text: 'Read [the page](https://example.com/a?b=c).' }))
  try {
    await connectModel(page, api.url)
    await page.evaluate(() => (location.hash = '#/projects/new'))
    await page.getByRole('dialog', { name: 'New project' }).getByRole('textbox', { name: 'Name' }).fill('Garden')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'More about this project' }).click()
    await page.getByRole('menuitem', { name: 'Remove …' }).click()
    await opened(/^Remove/)
    await newConversation(page)
    await chooseModel(page, 'claude sonnet 5 5')
    await send(page, 'hello')
    await page.getByRole('link', { name: 'the page' }).click()
    await opened('Open this link?')
    const menu = page.getByRole('button', { name: 'More about this conversation' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Move to project …' }).click()
    await opened(/Move/)
    await menu.click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await expectNoFaults(page)
    await page.keyboard.press('Escape')
    await menu.click()
    await page.getByRole('menuitem', { name: 'Archive', exact: true }).click()
    await page.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'Archived (1)' })
    await expectNoFaults(page)
    await page.keyboard.press('F1')
    await opened('Keyboard shortcuts')
    await goTo(page, 'Settings')
    const provider = page.getByRole('region', { name: 'Anthropic' })
    await provider.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await opened(/^Remove/)
    await addTrustedServer(shell, { name: 'ok', args: [server('small/ok.mjs')] })
    await page.evaluate(() => (location.hash = '#/servers/ok'))
    await page.getByRole('button', { name: 'Edit server' }).click()
    await opened('Edit server')
    const stranger = await page.context().browser()?.newPage()
    if (!stranger) throw new Error('The browser is gone.')
    await stranger.goto(new URL('/', page.url()).href)
    await expect(stranger.getByText('This page has no session')).toBeVisible()
    await expectNoFaults(stranger)
    await stranger.close()
  } finally {
    await api.close()
  }
})

test('the dialogs and menus of a conversation and of a project pass the axe checks', { tag: '@long' }, async ({ page }) => {
  await newConversation(page)
  await send(page, 'hello')
  await expect(page.getByRole('button', { name: 'Retry', exact: true })).toBeVisible()
  const menu = page.getByRole('button', { name: 'More about this conversation' })
  for (const [item, dialog] of [
    [/^Folders, sites/, 'Folders, sites and people'],
    [/^Tags/, /Tags/],
  ] as const) {
    await menu.click()
    await page.getByRole('menuitem', { name: item }).click()
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible()
    await expectNoFaults(page)
    await page.keyboard.press('Escape')
  }
  for (const button of [/^Model: /, /^Tools \(/, 'Context'] as const) {
    await page.getByRole('button', { name: button, exact: true }).click()
    await expectNoFaults(page)
    await page.keyboard.press('Escape')
  }
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoFaults(page)
  await page.keyboard.press('Escape')
  await page.evaluate(() => (location.hash = '#/projects/new'))
  await page.getByRole('dialog', { name: 'New project' }).getByRole('textbox', { name: 'Name' }).fill('Garden')
  await expectNoFaults(page)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(title(page, 'Garden')).toBeVisible()
  await expectNoFaults(page)
})

test('the Inbox, the settings and the form of a provider pass the axe checks', { tag: '@long' }, async ({ page }) => {
  for (const place of ['Inbox', 'Settings'] as const) {
    await goTo(page, place)
    await expect(title(page, place)).toBeVisible()
    await expectAccessible(page)
  }
  await page.getByRole('button', { name: 'Add provider' }).click()
  await expectAccessible(page)
})

test('the servers, every tab of one and the form of a new one pass the axe checks', { tag: '@long' }, async ({ page }) => {
  await goTo(page, 'Servers')
  await expect(title(page, 'Servers')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Playground' }).first().click()
  await expect(title(page, 'Playground')).toBeVisible()
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click()
    await expectAccessible(page)
  }
  await goTo(page, 'Servers')
  await page.getByRole('button', { name: 'Add server' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Add server' })).toBeVisible()
  await expectAccessible(page)
})
