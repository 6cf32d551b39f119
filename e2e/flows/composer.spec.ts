import type { Page } from 'playwright'
import { expectNoFaults } from '../support/axe.ts'
import type { RunningShell } from '../support/running-shell.ts'
import { expect, test } from '../support/shell-test.ts'
import { addTrustedServer, everything, newConversation } from './steps.ts'

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const attached = (page: Page) => page.getByRole('list', { name: 'Attached to your message' })

/** Adds the official server, and answers what it asks for at its start. */
async function startEverything(shell: RunningShell): Promise<void> {
  const { page } = shell
  await addTrustedServer(shell, everything)
  await page.getByRole('main').getByRole('link', { name: 'everything', exact: true }).click()
  await page.getByRole('dialog', { name: 'Share folders?' }).getByRole('button', { name: 'Share none' }).click()
}

/** The option that the field stands on, as a screen reader is told. */
async function expectActive(page: Page, name: RegExp): Promise<void> {
  const option = page.getByRole('option', { name })
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expect(message(page)).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? 'none')
}

test.describe('the list at the caret', () => {
  const prompts = (page: Page) => page.getByRole('listbox', { name: 'Prompts' })
  const resources = (page: Page) => page.getByRole('listbox', { name: 'Resources' })

  test('of prompts narrows while one types on, goes by arrows and closes by Escape; a prompt without arguments is used at once', async ({
    shell,
    page,
  }) => {
    await startEverything(shell)
    await newConversation(page)
    await message(page).pressSequentially('/')
    await expect(prompts(page).getByRole('option')).toHaveCount(5)
    await expectActive(page, /Simple Prompt/)
    await page.keyboard.press('ArrowDown')
    await expectActive(page, /Arguments Prompt/)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expectActive(page, /Browse all prompts/)
    await expectNoFaults(page)
    await page.keyboard.press('Escape')
    await expect(prompts(page)).toHaveCount(0)
    await expect(message(page)).toHaveValue('/')
    await expect(message(page)).toBeFocused()

    await message(page).fill('')
    await message(page).pressSequentially('/simple')
    await expect(prompts(page).getByRole('option')).toHaveCount(2)
    await expectActive(page, /Simple Prompt/)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('article', { name: 'You' })).toContainText('simple prompt without arguments')
    await expect(page.getByRole('article')).toHaveCount(2)
    await expect(message(page)).toHaveValue('')
  })

  test('opens the dialog for a prompt with arguments, and is no obstacle to a message that only begins with /', async ({
    shell,
    page,
  }) => {
    await startEverything(shell)
    await newConversation(page)
    await message(page).pressSequentially('/arg')
    await expectActive(page, /Arguments Prompt/)
    await page.keyboard.press('Tab')
    const dialog = page.getByRole('dialog', { name: 'Use a prompt' })
    await expect(dialog.getByRole('combobox', { name: 'city' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(message(page)).toHaveValue('/arg')

    await message(page).fill('')
    await message(page).pressSequentially('/etc/hosts is gone')
    await expect(prompts(page)).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('article', { name: 'You' })).toContainText('/etc/hosts is gone')
  })

  test('of resources attaches what is chosen, and takes what was typed for it out of the message', async ({ shell, page }) => {
    await startEverything(shell)
    await newConversation(page)
    await message(page).pressSequentially('mail me@home')
    await expect(resources(page)).toHaveCount(0)
    await message(page).fill('')
    await message(page).pressSequentially('look at @archi')
    await expectActive(page, /architecture\.md/)
    await expect(message(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(attached(page)).toContainText('architecture.md')
    await expect(message(page)).toHaveValue('look at ')
    await expect(message(page)).toBeFocused()
    await page.keyboard.type('@feat')
    await resources(page)
      .getByRole('option', { name: /features\.md/ })
      .click()
    await expect(attached(page).getByRole('listitem')).toHaveCount(2)
    await expect(message(page)).toHaveValue('look at ')
  })
})
