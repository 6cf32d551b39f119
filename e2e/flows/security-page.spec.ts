import { readFileSync } from 'node:fs'
import { press } from '../shells/press.ts'
import { expect, test } from '../shells/shell-test.ts'
import { card, consent, expectStatus, goTo, newConversation, send } from './steps.ts'

test('every question leads to the page that says what Parley protects from, and what is said is in the data folder alone (SEC-17, SEC-20)', async ({
  page,
  shell,
}) => {
  await test.step('every question leads to the page that says what Parley protects from, and stays open', async () => {
    await newConversation(page)
    await send(page, 'use playground/add with a=1 b=2')
    await consent(page).getByText('Why am I asked?').click()
    await consent(page).getByRole('link', { name: 'Security limits' }).click()
    await expect(page.getByRole('main')).toContainText('A local server is a program with your rights.')
    await goTo(page, 'Inbox')
    await expect(page.getByRole('main')).toContainText('add')
  })
  await test.step('what is said and called is in the data folder alone: nothing of it is printed', async () => {
    await newConversation(page)
    await send(page, 'use playground/describe-text with text="a canary that nobody prints"')
    await press(consent(page).getByRole('button', { name: 'Allow once' }))
    await expectStatus(card(page, 'describe-text'), 'Finished')
    const database = `${shell.folder}/parley.db`
    await shell.quit()
    expect(shell.output()).not.toContain('canary')
    expect(readFileSync(database).includes('a canary that nobody prints')).toBe(true)
  })
})
