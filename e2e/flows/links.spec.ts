import type { Page } from '@playwright/test'
import { DoubleShell } from '../shells/double-shell.ts'
import { press } from '../shells/press.ts'
import { expect, test } from '../shells/shell-test.ts'
import { startModelApi } from '../support/model-api.ts'
import { chooseModel, newConversation, send } from './steps.ts'

/** A conversation in which a model said this. */
async function said(page: Page, url: string, text: string): Promise<void> {
  // A newcomer's page leads to the very dialog, and its end to the models.
  await page.getByRole('button', { name: 'Connect a model' }).click()
  const form = page.getByRole('dialog', { name: 'Add a provider' })
  await form.getByRole('radio', { name: 'OpenAI-compatible', exact: true }).check()
  await form.getByRole('textbox', { name: 'Base URL', exact: true }).fill(`${url}/v1`)
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Providers' })).toContainText('llama3.2')
  await newConversation(page)
  await chooseModel(page, 'llama3.2')
  await send(page, text)
}

test('a model’s link is shown whole with its real host, and opened on the person’s computer (SEC-19, SEC-21)', async ({
  page,
  shell,
}) => {
  const texts = ['Read [the page](https://example.com/a?b=c).', 'Go to [your bank](https://bank.example@аррӏе.com/login).']
  const api = await startModelApi((_request, n) => ({ text: texts[n] ?? 'No more.' }))
  const question = page.getByRole('dialog', { name: 'Open this link?' })
  try {
    await said(page, api.url, 'where can I read that?')
    await page.getByRole('link', { name: 'the page' }).click()
    await expect(question).toContainText('https://example.com/a?b=c')

    if (shell instanceof DoubleShell) {
      await press(question.getByRole('button', { name: 'Visit it' }))
      await expect.poll(() => shell.called('shell.openExternal')).toEqual([['https://example.com/a?b=c']])
    } else if (shell.kind === 'web') {
      // The host may run on another computer: this browser is the person's.
      await page.context().route('https://example.com/**', (route) => route.fulfill({ body: 'the page' }))
      const opened = page.context().waitForEvent('page')
      await press(question.getByRole('button', { name: 'Visit it' }))
      const other = await opened
      await other.waitForURL('https://example.com/a?b=c')
      expect(await other.evaluate(() => window.opener)).toBeNull()
      await other.close()
    } else {
      await question.getByRole('button', { name: 'Cancel' }).click()
    }
    await expect(question).toBeHidden()

    await test.step('a host that is dressed up as another is warned of', async () => {
      await send(page, 'where is my bank?')
      await page.getByRole('link', { name: 'your bank' }).click()
      await expect(question.locator('mark')).toHaveText('xn--80ak6aa92e.com')
      await expect(question.getByRole('list', { name: 'Warnings' }).getByRole('listitem')).toHaveCount(2)
      await question.getByRole('button', { name: 'Cancel' }).click()
    })
  } finally {
    await api.close()
  }
})
