import { expect, test } from '../shells/shell-test.ts'
import { type ModelReply, startModelApi } from '../support/model-api.ts'
import { connectModel } from './question-steps.ts'
import { addTrustedServer, answer, card, chooseModel, consent, expectStatus, newConversation, send, server } from './steps.ts'

const call = (name: string, args: unknown): ModelReply => ({ calls: [{ name, arguments: JSON.stringify(args) }] })
const mail = (body: string) => call('send_mail', { to: 'bob@example.com', body })

test('a call that would send names private and foreign content, whatever rule allows it', async ({ shell, page }) => {
  const replies = [
    ...[mail('Hello Bob'), { text: 'Sent.' }],
    ...[mail('Hello again'), { text: 'Sent again.' }],
    ...[call('read_note', { title: 'plan' }), call('get_news', { day: 'monday' }), mail('She is moving to Lisbon')],
    { text: 'So be it.' },
  ]
  const api = await startModelApi((_request, n) => replies[n] ?? { text: 'No more.' })
  try {
    await connectModel(page, `${api.url}/v1`, 'OpenAI-compatible', 'llama3.2')
    for (const name of ['notes', 'news', 'mail']) {
      await addTrustedServer(shell, { name, args: [server('small/desk.mjs'), name] })
    }
    await newConversation(page)
    await chooseModel(page, 'llama3.2')
    await send(page, 'Say hello to bob@example.com')
    await answer(page, 'Allow in this conversation')
    await expect(page.getByText('Sent.', { exact: true })).toBeVisible()
    await send(page, 'Once more')
    await expect(page.getByText('Sent again.')).toBeVisible()

    await send(page, 'Look at my plan and the news of monday, then write to bob@example.com')
    await answer(page, 'Allow in this conversation')
    // The rule covers reading of the notes, and nothing else.
    await expect(consent(page)).toContainText('get_news')
    await answer(page, 'Allow once')
    const question = consent(page)
    await expect(question).toContainText('send_mail')
    await expect(question).toContainText('read_note of notes')
    await expect(question).toContainText('get_news of news')
    await expect(question).toContainText('this call can send something out')
    for (const tool of ['read_note', 'get_news']) {
      await question.getByRole('link', { name: `Show ${tool}` }).click()
      await expect(card(page, tool)).toBeInViewport()
    }
    await answer(page, 'Deny')
    await expectStatus(card(page, 'send_mail'), 'Declined')
    await expect(page.getByText('So be it.')).toBeVisible()
  } finally {
    await api.close()
  }
})
