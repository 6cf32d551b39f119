import { press } from '../shells/press.ts'
import { expect, test } from '../shells/shell-test.ts'
import { folders, form, samplingReply, samplingRequest } from './question-steps.ts'
import { addTrustedServer, answer, card, everything, expectShown, expectStatus, newConversation, send, server } from './steps.ts'

const modern = { name: 'modern', args: [server('sdk/modern/stdio.mjs'), 'reject'] }

test('a conversation with a server of each era has a form, a sampling review and folders in a call, over a reload and a killed host (V26-MRTR-13, V26-MRTR-19)', {
  tag: '@long',
}, async ({ shell }) => {
  let { page } = shell
  await addTrustedServer(shell, everything)
  await addTrustedServer(shell, modern)
  await newConversation(page)
  await send(page, 'use everything/echo with message=hello; modern/gather')
  await answer(page, 'Allow once')
  await expectShown(page, 'echo', 'Echo: hello')

  await expect(form(page)).toContainText('What is your name?')
  await form(page).getByRole('textbox', { name: 'Name' }).fill('Ada')
  await page.reload()
  await expect(form(page)).toContainText('gather')
  await expect(form(page).getByRole('textbox', { name: 'Name' })).toHaveValue('Ada')
  await press(form(page).getByRole('button', { name: 'Submit' }))
  await press(samplingRequest(page).getByRole('button', { name: 'Send to model' }))
  await folders(page).getByRole('button', { name: 'Don’t share' }).click()
  await press(samplingReply(page).getByRole('button', { name: 'Send to server' }))
  await expectStatus(card(page, 'gather'), 'Finished')
  await expectShown(page, 'gather', /"name":"Ada".*The Demo model is not an AI.*"folders":\[\]/s)

  // The state of a round was in memory alone: the call is made again, after consent, and its server asks again.
  await send(page, 'use modern/ask')
  await answer(page, 'Allow once')
  await expect(form(page)).toContainText('What is your name?')
  await shell.kill9()
  page = await shell.restart()
  await page.getByRole('link', { name: /^use everything/ }).click()
  await expectStatus(card(page, 'ask'), 'Interrupted')
  await expect(form(page)).toHaveCount(0)
  await press(page.getByRole('button', { name: 'Continue' }))
  await answer(page, 'Allow once')
  await form(page).getByRole('textbox', { name: 'Name' }).fill('Ada')
  await press(form(page).getByRole('button', { name: 'Submit' }))
  await expectShown(page, 'ask', 'Ada round-1')
})
