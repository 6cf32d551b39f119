import { expect, test } from '../shells/shell-test.ts'
import { type ModelApi, startModelApi } from '../support/model-api.ts'
import { typeInto } from './keyboard-steps.ts'
import { enterProvider, question } from './question-steps.ts'
import { answer, card, chooseModel, expectStatus, goTo, newConversation, send } from './steps.ts'

const PROVIDERS = [
  { kind: 'Anthropic', model: 'claude-sonnet-5-5', path: '', cost: /, ≈ \$0\.00\d+/ },
  { kind: 'OpenAI', model: 'gpt-5', path: '/v1', cost: /, ≈ \$0\.00\d+/ },
  { kind: 'OpenAI-compatible', model: 'llama3.2', path: '/v1', cost: /(?:)/ },
] as const

test('a key, a model, a tool call and its result work with each kind of provider, through the real SDK (ARCH-07)', async ({
  page,
  shell,
}) => {
  await test.step('adding Anthropic asks for a key alone, and shows a wrong field among the advanced ones', async () => {
    await goTo(page, 'Settings')
    await page.getByRole('button', { name: 'Add provider' }).press('Enter')
    const form = page.getByRole('dialog', { name: 'Add a provider' })
    const address = form.getByRole('textbox', { name: 'Base URL' })
    await expect(form.getByRole('radio', { name: 'Anthropic', exact: true })).toBeFocused()
    await expect(form.getByLabel('API key')).toBeVisible()
    await expect(address).toBeHidden()
    await form.locator('summary', { hasText: 'Advanced' }).press('Enter')
    await address.fill('http://elsewhere.example')
    await form.locator('summary', { hasText: 'Advanced' }).press('Enter')
    await expect(address).toBeHidden()
    await form.getByRole('button', { name: 'Add', exact: true }).press('Enter')
    await expect(address).toBeFocused()
    await expect(address).toHaveAccessibleDescription(/starts with https/)
    await form.getByRole('button', { name: 'Cancel' }).press('Enter')
    await question(page, 'Discard what you typed?').getByRole('button', { name: 'Discard' }).click()
    await expect(form).toHaveCount(0)
  })
  for (const { kind, model, path, cost } of PROVIDERS) {
    await test.step(kind, async () => {
      const api: ModelApi = await startModelApi(({ body }, n) => {
        const offered = JSON.stringify(body.tools ?? [])
        const name = /[\w-]*add\b/.exec(offered)?.[0] ?? 'add'
        return n === 0
          ? { text: 'I will add them.', calls: [{ name, arguments: '{"a": 40, "b": 2}' }] }
          : { text: 'It is forty-two.', prompt: { plain: 34, read: 1200, written: 0 } }
      })
      try {
        await enterProvider(page, `${api.url}${path}`, kind, model)

        await newConversation(page)
        await chooseModel(page, model.replaceAll('-', kind === 'Anthropic' ? ' ' : '-'), kind)
        await send(page, 'what is 40 plus 2?')
        await answer(page, 'Allow once')
        await expectStatus(card(page, 'add'), 'Finished')
        await expect(page.getByText('It is forty-two.')).toBeVisible()
        await expect(page.getByText(new RegExp(`^1,\\d{3} tokens, 2 rounds${cost.source}$`))).toBeVisible()

        const second = JSON.stringify(api.requests[1]?.body)
        expect(second).toContain('40 + 2 = 42')
        expect(JSON.stringify(api.requests[0]?.headers)).toContain('sk-canary-0001')
        expect(await page.content()).not.toContain('sk-canary-0001')
        expect(shell.output()).not.toContain('sk-canary-0001')

        await goTo(page, 'Settings')
        const provider = page.getByRole('region', { name: kind, exact: true })
        await provider.getByRole('button', { name: 'Replace' }).press('Enter')
        await typeInto(provider.getByLabel('API key'), 'sk-canary-0002')
        await page.keyboard.press('Enter')
        await expect(provider.getByRole('button', { name: 'Replace' })).toBeFocused()
      } finally {
        await api.close()
      }
    })
  }
})

test('a rate limit is shown with its wait and retried; one with a long wait is explained, and Retry continues', {
  tag: '@long',
}, async ({ page }) => {
  const waits = ['600', '3']
  const api = await startModelApi(() => {
    const wait = waits.shift()
    const body = { error: { message: 'slow down please' } }
    return wait ? { failure: { status: 429, body, headers: { 'retry-after': wait } } } : { text: 'Back again.' }
  })
  try {
    await goTo(page, 'Settings')
    await page
      .getByRole('button', { name: /add (a )?provider|connect a model|add model/i })
      .first()
      .click()
    const form = page.getByRole('dialog')
    await form.getByRole('radio', { name: 'OpenAI-compatible', exact: true }).check()
    await form.getByRole('textbox', { name: /base url|address/i }).fill(`${api.url}/v1`)
    await form.getByRole('button', { name: /^(save|add|connect)$/i }).click()
    await newConversation(page)
    await chooseModel(page, 'llama3.2')
    await send(page, 'hello')
    await expect(page.getByRole('main')).toContainText('slow down please')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText(/^Rate limited\. Trying again in [1-3] s$/)).toBeVisible()
    await expect(page.getByText('Back again.')).toBeVisible()
  } finally {
    await api.close()
  }
})
