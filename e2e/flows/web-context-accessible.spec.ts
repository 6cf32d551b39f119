import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/shell-test.ts'
import { addTrustedServer, newConversation, official } from './steps.ts'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe holds against the page as it is, in both themes. */
async function expectNoFaults(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(TAGS).analyze()
    const faults = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${colorScheme}: ${id} ${target} ${failureSummary}`),
    )
    expect(faults).toEqual([])
  }
}

test('pickers, previews, attachments and the meter pass the axe checks, light and dark', async ({ shell, page }) => {
  test.setTimeout(120_000)
  const args = `"${official('server-everything')}" stdio`
  await addTrustedServer(shell, { name: 'everything', command: process.execPath, args })
  await newConversation(page)
  await page.getByRole('button', { name: 'Attach', exact: true }).click()
  const picker = page.getByRole('dialog', { name: 'Attach a resource' })
  await expect(picker.getByRole('button', { name: /architecture/ })).toBeVisible()
  await expectNoFaults(page)
  await picker.getByRole('button', { name: 'As a tree' }).click()
  await expectNoFaults(page)
  await picker.getByRole('button', { name: /architecture/ }).click()
  await picker.getByRole('button', { name: 'Preview' }).click()
  await expect(picker.getByRole('region', { name: 'Content' })).toBeVisible()
  await expectNoFaults(page)
  await picker.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Attached to your message' })).toBeVisible()
  await page.getByRole('button', { name: 'Context', exact: true }).click()
  await expect(page.getByRole('region', { name: 'What the model is given' })).toBeVisible()
  await expectNoFaults(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Prompts', exact: true }).click()
  const prompts = page.getByRole('dialog', { name: 'Use a prompt' })
  await prompts.getByRole('button', { name: /Team/ }).click()
  await prompts.getByRole('combobox', { name: 'department' }).fill('S')
  await expect(prompts.getByRole('option', { name: 'Sales' })).toBeVisible()
  await expectNoFaults(page)
})
