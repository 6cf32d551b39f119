import { expectNoFaults } from '../shells/axe.ts'
import { press } from '../shells/press.ts'
import { expect, test } from '../shells/shell-test.ts'
import { type ModelApi, startModelApi } from '../support/model-api.ts'
import { addAsker, connectModel, expectAnswer, letAsk, samplingReply, samplingRequest } from './question-steps.ts'
import {
  addTrustedServer,
  answer,
  card,
  consent,
  everything,
  expectServerState,
  expectShown,
  expectStatus,
  goTo,
  newConversation,
  openCall,
  send,
} from './steps.ts'

const refused = { error: { code: -1, message: 'User rejected sampling request' } }

test.describe('a sampling request', () => {
  test('of server-everything is reviewed, and so is its reply, inside the call that caused it (SAMP-04, SAMP-07, SAMP-31)', {
    tag: '@long',
  }, async ({ shell, page }) => {
    await addTrustedServer(shell, everything)
    await newConversation(page)
    await send(page, 'use everything/trigger-sampling-request with prompt="say hello" maxTokens=50')
    await answer(page, 'Allow once')
    const request = samplingRequest(page)
    await expect(request).toContainText('everything')
    await expect(request).toContainText('trigger-sampling-request')
    await expect(request.getByRole('textbox', { name: 'System prompt' })).toHaveValue('You are a helpful test server.')
    await expect(request.getByRole('textbox', { name: 'User text 1' })).toHaveValue(/say hello/)
    await press(request.getByRole('button', { name: 'Send to model' }))
    await expect(samplingReply(page).getByRole('textbox', { name: 'Reply text 1' })).toHaveValue(/say hello/)
    await press(samplingReply(page).getByRole('button', { name: 'Send to server' }))
    await expectStatus(card(page, 'trigger-sampling-request'), 'Finished')
    await expectShown(page, 'trigger-sampling-request', 'The Demo model is not an AI')
  })

  test.describe('with a model API', () => {
    let api: ModelApi
    let hold: Promise<void>
    let release: () => void
    test.beforeEach(async ({ shell, page }) => {
      hold = Promise.resolve()
      api = await startModelApi(async () => ({ text: 'A bee, of some kind.', hold }))
      await connectModel(page, api.url)
      await addAsker(shell)
    })
    test.afterEach(async () => {
      release?.()
      await api.close()
    })

    test('reaches the chosen model as edited, has its reply edited or declined, and a context added only when ticked (SEC-15, SAMP-06, TRAP-70)', async ({
      page,
      shell,
      kind,
    }) => {
      await test.step('reaches the chosen model as the person edited it, and nothing before', async () => {
        await test.step('declining the request asks no model and tells the server so', async () => {
          await letAsk(page, 'sample')
          // Its pictures go with the question: one that is still on its way would not be found.
          const pictures = samplingRequest(page).locator('img')
          await expect(pictures).not.toHaveCount(0)
          await expect
            .poll(() => pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).complete)))
            .toBe(true)
          await samplingRequest(page).getByRole('button', { name: 'Decline' }).click()
          await expectAnswer(page, refused)
          expect(api.requests).toEqual([])
        })
        await test.step('what the person edited is what the model receives, and nothing before', async () => {
          await letAsk(page, 'sample')
          const request = samplingRequest(page)
          await request.getByRole('textbox', { name: 'System prompt' }).fill('You are kind.')
          await request.getByRole('textbox', { name: 'User text 4' }).fill('Say all of it.')
          await request.getByRole('button', { name: 'Remove Assistant text 3' }).click()
          await expect(request.getByRole('img', { name: 'Image' })).toBeVisible()
          await request.getByRole('button', { name: 'Remove User image 2' }).click()
          await request.getByRole('textbox', { name: 'Maximum tokens' }).fill('77')
          expect(api.requests).toEqual([])
          await press(request.getByRole('button', { name: 'Send to model' }))
          await expect(samplingReply(page)).toContainText('A bee')
          const body = api.requests[0]?.body ?? {}
          expect(body).toMatchObject({ model: 'claude-haiku-5-5', max_tokens: 77, temperature: 0.4, stop_sequences: ['END'] })
          const sent = JSON.stringify(body)
          expect(sent).toContain('You are kind.')
          expect(sent).toContain('Say all of it.')
          for (const gone of ['You are terse.', 'Say more of it.', 'One pixel.', 'image/png']) expect(sent).not.toContain(gone)
          await samplingReply(page).getByRole('button', { name: 'Decline' }).click()
        })
        await test.step('the model follows the hint, says why, and can be changed by the person', async () => {
          await letAsk(page, 'sample')
          const request = samplingRequest(page)
          const picker = request.getByRole('combobox', { name: 'Model' })
          await expect(picker.locator('option:checked')).toContainText(/haiku/i)
          await expect(request).toContainText(/haiku.*speed|speed.*haiku/i)
          await picker.selectOption({
            label:
              (await picker
                .locator('option', { hasText: /sonnet/i })
                .first()
                .textContent()) ?? '',
          })
          const limit = request.getByRole('textbox', { name: 'Maximum tokens' })
          await limit.fill('301')
          await expect(request.getByRole('button', { name: 'Send to model' })).toBeDisabled()
          await expect(limit).toHaveAccessibleDescription(/300/)
          await limit.fill('300')
          await press(request.getByRole('button', { name: 'Send to model' }))
          await expect(samplingReply(page)).toContainText('A bee')
          expect(api.requests.at(-1)?.body.model).toBe('claude-sonnet-5-5')
          await press(samplingReply(page).getByRole('button', { name: 'Send to server' }))
          await expectShown(page, 'ask', '"model":"claude-sonnet-5-5"')
        })
        await test.step('another reply can be asked for', async () => {
          const before = api.requests.length
          await letAsk(page, 'sample-plain')
          const request = samplingRequest(page)
          await request.getByRole('combobox', { name: 'Model' }).selectOption({ index: 1 })
          await press(request.getByRole('button', { name: 'Send to model' }))
          await samplingReply(page).getByRole('textbox', { name: 'Reply text 1' }).fill('Not this.')
          await press(samplingReply(page).getByRole('button', { name: 'Regenerate' }))
          await expect(samplingReply(page).getByRole('textbox', { name: 'Reply text 1' })).toHaveValue('A bee, of some kind.')
          expect(api.requests).toHaveLength(before + 2)
          await press(samplingReply(page).getByRole('button', { name: 'Send to server' }))
          await expectShown(page, 'ask', 'A bee, of some kind.')
        })
      })
      await test.step('has its reply edited or declined, and what was edited kept over a reload', async () => {
        await test.step('the reply streams in, is edited, and the server gets the edited text and no prompt', async () => {
          hold = new Promise((resolve) => {
            release = resolve
          })
          await letAsk(page, 'sample')
          await press(samplingRequest(page).getByRole('button', { name: 'Send to model' }))
          const reply = samplingReply(page)
          await expect(page.getByRole('button', { name: 'Go to the latest' })).toHaveCount(0)
          await expect(reply.getByRole('region', { name: 'The reply so far' })).toContainText('A bee')
          await expect(reply.getByRole('button', { name: 'Send to server' })).toBeDisabled()
          release()
          await reply.getByRole('textbox', { name: 'Reply text 1' }).fill('A wasp.')
          await press(reply.getByRole('button', { name: 'Send to server' }))
          await expectAnswer(page, {
            result: {
              role: 'assistant',
              content: { type: 'text', text: 'A wasp.' },
              model: 'claude-haiku-5-5',
              stopReason: 'endTurn',
            },
          })
        })
        await test.step('declining the reply, also while it is written, tells the server the same', async () => {
          hold = new Promise((resolve) => {
            release = resolve
          })
          await letAsk(page, 'sample')
          await press(samplingRequest(page).getByRole('button', { name: 'Send to model' }))
          await expect(samplingReply(page)).toContainText('A bee')
          await samplingReply(page).getByRole('button', { name: 'Decline' }).click()
          await expectStatus(card(page, 'ask'), 'Finished')
          await expectShown(page, 'ask', '"code":-1')
          await expect(card(page, 'ask')).not.toContainText('A bee')
          release()
        })
        await test.step('a context that the server wishes for is added only when it is ticked', async () => {
          await letAsk(page, 'heard')
          await expectStatus(card(page, 'ask'), 'Finished')
          for (const tick of [false, true]) {
            await send(page, 'use asks/ask with what=sample-context')
            await answer(page, 'Allow once')
            const request = samplingRequest(page)
            await expect(request).toContainText('The model gets only what you tick')
            const offer = request.getByRole('checkbox').first()
            await expect(offer).not.toBeChecked()
            if (tick) await offer.check()
            const picker = request.getByRole('combobox', { name: 'Model' })
            await picker.selectOption({
              label: (await picker.locator('option', { hasText: /haiku/i }).first().textContent()) ?? '',
            })
            await press(request.getByRole('button', { name: 'Send to model' }))
            await press(samplingReply(page).getByRole('button', { name: 'Send to server' }))
            await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
            const body = JSON.stringify(api.requests.at(-1)?.body)
            if (tick) expect(body).toContain('notifications/initialized')
            else expect(body).not.toContain('notifications/initialized')
          }
        })
        await test.step('what was edited survives a reload and shows in a second window', async () => {
          await letAsk(page, 'sample')
          await samplingRequest(page).getByRole('textbox', { name: 'User text 4' }).fill('Typed before the reload')
          await samplingRequest(page).getByRole('button', { name: 'Remove User image 2' }).click()
          await page.reload()
          await expect(samplingRequest(page).getByRole('textbox', { name: 'User text 4' })).toHaveValue('Typed before the reload')
          await expect(samplingRequest(page)).toContainText('User image 2 removed')
          if (kind === 'electron') return
          const second = await shell.openWindow()
          await goTo(second, 'Inbox')
          await second.getByRole('button', { name: 'Answer' }).click()
          await expect(samplingRequest(second).getByRole('textbox', { name: 'User text 4' })).toHaveValue(
            'Typed before the reload',
          )
          await samplingRequest(second).getByRole('button', { name: 'Decline' }).click()
          await expect(samplingRequest(page)).toHaveCount(0)
        })
      })
    })
  })

  test('shows tool use and its reply as data, which is the server’s alone (V11-21, SAMP-31)', { tag: '@long' }, async ({
    shell,
    page,
  }) => {
    await test.step('tool use in a model’s reply is shown as data, and goes back to the server, whose tools they are', async () => {
      const api = await startModelApi(async () => ({
        text: 'I look it up.',
        calls: [{ id: 'toolu_1', name: 'weather', arguments: '{"city":"Rome"}' }],
      }))
      try {
        await connectModel(page, api.url)
        await addAsker(shell)
        await letAsk(page, 'sample-tools')
        const request = samplingRequest(page)
        const models = request.getByRole('combobox', { name: 'Model' })
        await models.selectOption(await models.locator('option', { hasText: 'claude sonnet' }).getAttribute('value'))
        await press(request.getByRole('button', { name: 'Send to model' }))
        const reply = samplingReply(page)
        await expect(reply).toContainText('I look it up.')
        await expect(reply).toContainText('weather')
        await expect(reply.getByRole('row', { name: /city/ })).toContainText('Rome')
        await expect(card(page, 'weather')).toHaveCount(0)
        await expectNoFaults(page)
        await press(reply.getByRole('button', { name: 'Send to server' }))
        await expectStatus(card(page, 'ask'), 'Finished')
        await expect(consent(page)).toHaveCount(0)
        const shown = JSON.parse((await (await openCall(card(page, 'ask'))).locator('pre').last().textContent()) ?? '')
        expect(shown.result).toMatchObject({ role: 'assistant', stopReason: 'toolUse' })
        expect(shown.result.content).toEqual([
          { type: 'text', text: 'I look it up.' },
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Rome' } },
        ])
      } finally {
        await api.close()
      }
    })
    await test.step('tools of the request are shown as data and are no tools of Parley', async () => {
      await letAsk(page, 'sample-tools')
      const request = samplingRequest(page)
      await request.getByText('1 tool', { exact: true }).click()
      await expect(request).toContainText('weather')
      await expect(request).toContainText('Parley runs none')
      await request.getByRole('button', { name: 'Decline' }).click()
      await expectAnswer(page, refused)
    })
  })

  test('is never sent after a dismissal, is refused from a blocked server, and is limited by a budget (SAMP-03, SAMP-27, SEC-12)', {
    tag: '@long',
  }, async ({ shell, page }) => {
    await addAsker(shell)
    await test.step('Escape sets a request aside and never sends it', async () => {
      await letAsk(page, 'sample-plain')
      await expect(samplingRequest(page).getByRole('button', { name: 'Decline' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(samplingRequest(page)).toHaveCount(0)
      await goTo(page, 'Inbox')
      await page.getByRole('button', { name: 'Answer' }).click()
      await press(samplingRequest(page).getByRole('button', { name: 'Send to model' }))
      await expect(samplingReply(page)).toContainText('Please name a colour.')
      await press(samplingReply(page).getByRole('button', { name: 'Send to server' }))
      await expect(page.getByText('Inbox is empty')).toBeVisible()
    })
    await test.step('a server whose sampling is refused is not heard, and a budget is a ceiling', async () => {
      await goTo(page, 'Servers')
      await page.getByRole('main').getByRole('link', { name: 'asks', exact: true }).click()
      const policy = page.getByRole('combobox', { name: /Sampling/ })
      await policy.selectOption({ label: 'Ask each time, within a budget' })
      await page.getByRole('textbox', { name: 'Maximum requests' }).fill('2')
      await page.keyboard.press('Enter')
      await letAsk(page, 'sample-plain')
      await expect(samplingRequest(page)).toContainText('1 request and')
      await press(samplingRequest(page).getByRole('button', { name: 'Send to model' }))
      await press(samplingReply(page).getByRole('button', { name: 'Send to server' }))
      await expectStatus(card(page, 'ask'), 'Finished')
      await send(page, 'use asks/ask with what=sample-plain')
      await answer(page, 'Allow once')
      await expectShown(page, 'ask', '"error"')
      await expect(samplingRequest(page)).toHaveCount(0)

      await goTo(page, 'Servers')
      await page.getByRole('main').getByRole('link', { name: 'asks', exact: true }).click()
      await expect(page.getByText(/Used: 2 requests/)).toBeVisible()
      await policy.selectOption({ label: 'Refuse' })
      await expectServerState(page, 'asks', 'Ready')
      await letAsk(page, 'sample-plain')
      await expectShown(page, 'ask', '"error"')
      await expect(samplingRequest(page)).toHaveCount(0)
    })
  })
})
