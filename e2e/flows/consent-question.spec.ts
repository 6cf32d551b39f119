import { expectNoFaults } from '../shells/axe.ts'
import { press } from '../shells/press.ts'
import { expect, test } from '../shells/shell-test.ts'
import {
  addTrustedServer,
  answer,
  card,
  consent,
  expectShown,
  expectStatus,
  goTo,
  newConversation,
  send,
  server,
} from './steps.ts'

const mail = {
  format: 'text',
  body: Array.from({ length: 30 }, (_, n) => `Line ${n} of the mail.`).join('\n'),
  to: ['Bela@Example.com', 'carl@example.com'],
}

test('a question shows recipients and contents, open and first, is short about a plain call, and lets its arguments be edited', async ({
  shell,
  page,
}) => {
  await addTrustedServer(shell, { name: 'acts', args: [server('small/acts.mjs')] })
  await newConversation(page)
  const question = consent(page)
  await test.step('one argument and no warning take 260 px at most', async () => {
    await send(page, 'use acts/get_report with name=q3')
    await expect(question.getByRole('button', { name: 'Allow once' })).toBeVisible()
    await expect(question.getByRole('row', { name: 'name q3' })).toBeInViewport({ ratio: 1 })
    expect((await question.boundingBox())?.height).toBeLessThanOrEqual(260)
    await expect(question).toContainText('From a server that Parley does not know.')
    await answer(page, 'Deny')
  })
  await test.step('recipients come first as they are written, and a long text is whole', async () => {
    await newConversation(page)
    await send(page, `use acts/send_email ${JSON.stringify(mail)}`)
    const rows = question.getByRole('row')
    await expect(rows.first()).toContainText('Bela@Example.com')
    await expect(rows.first()).toBeInViewport({ ratio: 1 })
    await expect(rows.nth(1)).toContainText('Line 29 of the mail.')
    await expect(rows.last()).toContainText('format')
    await expect(question.getByRole('button', { name: /Show all/ })).toHaveCount(0)
    await expectNoFaults(page)
  })
  await test.step('what the server says of itself is under Details, with what is sent as JSON', async () => {
    await expect(question.getByText('Sends a mail to people')).toBeHidden()
    await question.getByText('Details', { exact: true }).click()
    await expect(question.getByText('Sends a mail to people')).toBeVisible()
    await expect(question.getByText('Server’s hints (not verified)')).toBeVisible()
    await expect(question.locator('pre').last()).toContainText('"Bela@Example.com"')
    await expectNoFaults(page)
    await answer(page, 'Deny')
  })
  await test.step('arguments are changed in a form, asked about again, and sent as they were last seen', async () => {
    await newConversation(page)
    await send(page, 'use acts/get_report with name=q3')
    await question.getByRole('button', { name: 'Change arguments' }).click()
    const name = question.getByRole('textbox', { name: 'name' })
    await expect(name).toHaveValue('q3')
    await expect(name).toBeFocused()
    await expect(question.getByRole('button', { name: 'Allow once' })).toBeDisabled()
    await expectNoFaults(page)
    await name.fill('q4')
    await goTo(page, 'Servers')
    await page.goBack()
    await expect(name).toHaveValue('q4')
    await name.press('Tab')
    await question.getByRole('button', { name: 'Use these' }).press('Enter')
    await expect(question.getByRole('row', { name: 'name q4' })).toBeVisible()
    await expect(question).toContainText('You changed the arguments.')
    await answer(page, 'Allow once')
    await expectShown(page, 'get_report', '"name":"q4"')
    await expect(card(page, 'get_report')).toContainText('You changed the arguments.')
  })
  await test.step('what a form cannot show is changed as JSON, and looked at again although a rule allows it', async () => {
    await newConversation(page)
    await send(page, 'use acts/get_report with name=q3')
    await answer(page, 'Allow in this conversation')
    await expectStatus(card(page, 'get_report'), 'Finished')
    await send(page, 'use acts/get_report {"name":"q3","to":"bela@px.example"}')
    await question.getByRole('button', { name: 'Change arguments' }).click()
    const json = question.getByRole('textbox', { name: 'Arguments', exact: true })
    await expect(json).toHaveValue(/"bela@px.example"/)
    await expectNoFaults(page)
    await json.fill('{"name":')
    await question.getByRole('button', { name: 'Use these' }).click()
    await expect(json).toHaveAccessibleDescription(/Enter one JSON object/)
    await json.fill('{"name": "q3"}')
    await question.getByRole('button', { name: 'Use these' }).click()
    await expect(question.getByRole('row', { name: 'name q3' })).toBeVisible()
    await expect(question).toContainText('You changed the arguments.')
    await expectStatus(card(page, 'get_report'), 'Needs you')
    await answer(page, 'Allow once')
    await expectShown(page, 'get_report', '"arguments":{"name":"q3"}')
  })
  await test.step('what the tool does not take is said, and nothing is changed by it', async () => {
    await newConversation(page)
    await send(page, `use acts/send_email ${JSON.stringify({ ...mail, body: 'Hello' })}`)
    await question.getByRole('button', { name: 'Change arguments' }).click()
    await question.getByRole('textbox', { name: 'to', exact: true }).fill('"nobody"')
    await question.getByRole('button', { name: 'Use these' }).click()
    await expect(question.getByRole('region', { name: 'Errors' })).toContainText('1 field needs attention')
    await expectNoFaults(page)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(question.getByRole('button', { name: 'Change arguments' })).toBeFocused()
    await expect(question.getByRole('row').first()).toContainText('Bela@Example.com')
    await answer(page, 'Deny')
  })
  await test.step('a result is seen before the model gets it, and is cut or withheld', async () => {
    await newConversation(page)
    await send(page, 'use acts/get_report with name=q3')
    await consent(page).locator('summary', { hasText: 'Details' }).press('Enter')
    await consent(page).getByRole('switch', { name: 'Show me the result first' }).press('Space')
    await expect(consent(page).getByRole('switch', { name: 'Show me the result first' })).toBeChecked()
    await expectNoFaults(page)
    await answer(page, 'Allow once')
    const review = page.getByRole('dialog', { name: 'Review result' })
    await review.getByRole('textbox', { name: 'Result part 1' }).fill('Sales rose.')
    await expectNoFaults(page)
    await press(review.getByRole('button', { name: 'Send to model' }))
    await expectShown(page, 'get_report', 'Sales rose.')
    await expect(card(page, 'get_report')).toContainText('You changed the result.')
    await send(page, 'use acts/get_report with name=q4')
    await answer(page, 'Allow once')
    await review.getByRole('button', { name: 'Withhold' }).click()
    await expect(card(page, 'get_report').getByText('Withheld', { exact: true })).toBeVisible()
  })
})
