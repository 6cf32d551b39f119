import { expect, test } from '../support/shell-test.ts'
import { addTrustedServer, answer, card, consent, expectStatus, newConversation, send, server } from './steps.ts'

test('what was read in private and what others wrote are both named when a call would send, whatever rule allows it', async ({
  shell,
  page,
}) => {
  for (const name of ['notes', 'news', 'mail']) await addTrustedServer(shell, { name, args: [server('small/desk.mjs'), name] })
  await newConversation(page)
  await send(page, 'use mail/send_mail with to=bob@example.com body=hello')
  await answer(page, 'Allow in this conversation')
  await expectStatus(card(page, 'send_mail'), 'Finished')

  await send(page, 'use mail/send_mail with to=bob@example.com body=again')
  await expect(page.getByRole('group', { name: 'Tool call: send_mail', exact: true })).toHaveCount(2)
  await expectStatus(card(page, 'send_mail'), 'Finished')

  await send(page, 'use notes/read_note with title=plan')
  await answer(page, 'Allow once')
  await expectStatus(card(page, 'read_note'), 'Finished')
  await send(page, 'use news/get_news with day=monday')
  await answer(page, 'Allow once')
  await expectStatus(card(page, 'get_news'), 'Finished')

  await send(page, 'use mail/send_mail {"to": "bob@example.com", "body": "Ana is moving to Lisbon"}')
  const question = consent(page)
  await expect(question).toContainText('read_note of notes')
  await expect(question).toContainText('get_news of news')
  await expect(question).toContainText('sends something out')
  await expect(question.getByRole('link', { name: /read_note|get_news|plan|source|call/i })).toHaveCount(2)
  await answer(page, 'Deny')
  await expectStatus(card(page, 'send_mail'), 'Declined')
})
