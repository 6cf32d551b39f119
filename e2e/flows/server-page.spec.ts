import { expect, test } from '../shells/shell-test.ts'
import { startModelApi } from '../support/model-api.ts'
import { connectModel } from './question-steps.ts'
import { addTrustedServer, answer, card, expectStatus, goTo, newConversation, send, server, serverRow } from './steps.ts'

const claims = { name: 'mine', args: [server('small/claims.mjs')] }

test.describe('the page of a server', () => {
  test('shows the server’s own claims, its extensions, and how a tool is sent to a provider (LIFE-43, EXT-4, EXT-6)', async ({
    shell,
    page,
  }) => {
    await addTrustedServer(shell, claims)
    await test.step('shows what the server says of itself as its claim, under the name that the person gave it', async () => {
      await serverRow(page, 'mine').getByRole('link', { name: 'mine', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'mine', exact: true })).toBeVisible()
      const said = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Server info' }) })
      await expect(said).toContainText('not verified')
      await expect(said).toContainText('Your trusted bank')
      await expect(said).toContainText('9.9.9')
      await expect(page.getByRole('heading', { name: 'Your trusted bank' })).toHaveCount(0)
    })
    await test.step('names its extensions, the known and the unknown', async () => {
      await expect(page.getByText('io.modelcontextprotocol/ui MCP Apps: in use')).toBeVisible()
      await expect(page.getByText('com.example/odd unknown, not used')).toBeVisible()
    })
    await test.step('keeps it running and hints at its costs as the person chooses, also after a reload', async () => {
      const keep = page.getByRole('switch', { name: 'Keep running' })
      const hint = page.getByRole('switch', { name: 'Hint when its tools are not used' })
      const restart = page.getByRole('switch', { name: 'Restart when its files change' })
      await expect(keep).not.toBeChecked()
      await expect(hint).toBeChecked()
      await expect(restart).not.toBeChecked()
      for (const option of [keep, hint, restart]) await option.click()
      await expect(keep).toBeChecked()
      await expect(hint).not.toBeChecked()
      await expect(restart).toBeChecked()
      await page.reload()
      await expect(keep).toBeChecked()
      await expect(hint).not.toBeChecked()
      await expect(restart).toBeChecked()
      await expect(page.getByText(/^Uses [\d.]+ MB of memory.*, in 1 process\.$/)).toBeVisible()
    })
    await test.step('tells of a tool how it is sent to a provider, and which tool no model is offered', async () => {
      const api = await startModelApi(() => ({ text: 'Hello.' }))
      try {
        await connectModel(page, api.url)
        await goTo(page, 'Servers')
        await serverRow(page, 'mine').getByRole('link', { name: 'mine', exact: true }).click()
        await page.getByRole('tab', { name: 'Tools' }).click()
        await page.getByRole('link', { name: 'list apps', exact: true }).click()
        await expect(page.getByText('Sent to Anthropic as mine__list_apps, with changes:')).toBeVisible()
        await expect(page.getByText('“filter[name]” is called “filter_name”.')).toBeVisible()
        await page.getByRole('button', { name: 'All tools' }).click()
        await expect(page.getByText('App only')).toBeVisible()
        await page.getByRole('link', { name: 'redraw', exact: true }).click()
        await expect(page.getByText('Not offered to models: only for the server’s app.')).toBeVisible()
      } finally {
        await api.close()
      }
    })
  })

  test('shows its log with the level of each line, as text, and filters and searches it (LOG-05, LOG-06, LOG-07)', async ({
    shell,
    page,
  }) => {
    await addTrustedServer(shell, claims)
    await newConversation(page)
    await send(page, 'use mine/talk')
    await answer(page, 'Allow once')
    await expectStatus(card(page, 'talk'), 'Finished')
    await goTo(page, 'Servers')
    await serverRow(page, 'mine').getByRole('link', { name: 'mine', exact: true }).click()
    await page.getByRole('tab', { name: 'Log' }).click()
    const log = page.getByRole('log', { name: 'Server log' })
    const line = (words: string) => log.locator('.log-line').filter({ hasText: words })
    await expect(line('a small thing')).toContainText('debug')
    await expect(line('a <b>strange</b> thing')).toContainText('warning')
    await expect(line('a broken thing')).toContainText('error')
    await page.getByRole('combobox', { name: 'Lowest level shown' }).selectOption('error')
    await expect(line('a small thing')).toHaveCount(0)
    await expect(line('a broken thing')).toBeVisible()
    await page.getByRole('combobox', { name: 'Lowest level shown' }).selectOption('debug')
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('strange')
    await expect(line('a broken thing')).toHaveCount(0)
    await expect(line('strange')).toBeVisible()
  })
})
