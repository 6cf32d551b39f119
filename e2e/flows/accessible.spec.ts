import { expectNoFaults } from '../shells/axe.ts'
import { press } from '../shells/press.ts'
import { expect, test } from '../shells/shell-test.ts'
import { addAsker, address, folders, form, letAsk, question, samplingReply, samplingRequest } from './question-steps.ts'
import { answer, card, consent, expectStatus, goTo, newConversation, send, trust } from './steps.ts'

test.describe('the screens of questions', () => {
  test('server trust, consent, sampling, forms, addresses, folders, the Inbox and the pages of a server pass the axe checks, light and dark, at 200 %, too (SAMP-04, ELIC-05, ROOT-14)', async ({
    shell,
    page,
    kind,
  }) => {
    await addAsker(shell)
    await test.step('both pages of sampling pass the axe checks, light and dark, at 200 %, too', async () => {
      await letAsk(page, 'sample')
      const request = samplingRequest(page)
      await request.getByRole('textbox', { name: 'User text 4' }).fill('Changed')
      await request.getByRole('button', { name: 'Remove User image 2' }).click()
      await request.getByText('2 parameters, passed on unchanged').click()
      await request.getByText('Why am I asked?').click()
      await expect(request.getByRole('button', { name: 'Send to model' })).toBeEnabled()
      await expectNoFaults(page)
      await press(request.getByRole('button', { name: 'Send to model' }))
      await expect(samplingReply(page).getByRole('button', { name: 'Send to server' })).toBeEnabled()
      await expectNoFaults(page)
      await samplingReply(page).getByRole('button', { name: 'Decline' }).click()
      await send(page, 'use asks/ask with what=sample-tools')
      await answer(page, 'Allow once')
      await request.getByText('1 tool', { exact: true }).click()
      await expectNoFaults(page)
      await request.getByRole('button', { name: 'Decline' }).click()
    })
    await test.step('forms, addresses and folders pass the axe checks, light and dark, at 200 %, too', async () => {
      await letAsk(page, 'form')
      await press(form(page).getByRole('button', { name: 'Submit' }))
      await expect(form(page).getByRole('region', { name: 'Errors' })).toBeFocused()
      await expectNoFaults(page)
      await form(page).getByRole('textbox', { name: 'Nickname' }).fill('A')
      await page.keyboard.press('Escape')
      await expectNoFaults(page)
      await question(page, 'Discard what you typed?').getByRole('button', { name: 'Discard' }).click()
      await expectStatus(card(page, 'ask'), 'Finished')

      await letAsk(page, 'secret')
      await expect(form(page).getByRole('note')).toBeVisible()
      await expectNoFaults(page)
      await form(page).getByRole('button', { name: 'Decline' }).click()
      await expectStatus(card(page, 'ask'), 'Finished')

      await newConversation(page)
      await send(page, 'use asks/ask with what=visit url="http://a@xn--pple-43d.com:8443/x"')
      await answer(page, 'Allow once')
      await expect(address(page).getByRole('button', { name: 'Open' })).toBeEnabled()
      await expectNoFaults(page)
      await address(page).getByRole('button', { name: 'Decline' }).click()
      await expectStatus(card(page, 'ask'), 'Finished')

      await letAsk(page, 'roots')
      await expect(folders(page)).toBeVisible()
      await expectNoFaults(page)
      if (kind === 'web') {
        await folders(page).getByRole('button', { name: 'Add a folder …' }).click()
        await expect(question(page, 'Choose a folder').getByRole('list')).toBeVisible()
        await expectNoFaults(page)
        await press(question(page, 'Choose a folder').getByRole('button', { name: 'Choose' }))
      }
      await folders(page).getByRole('button', { name: 'Don’t share' }).click()
    })
    await test.step('the Inbox and the pages of a server pass the axe checks with everything in them, light and dark, at 200 %, too', async () => {
      await newConversation(page)
      await send(page, 'use asks/ask with what=burst times=3')
      await answer(page, 'Allow once')
      await expect(form(page)).toBeVisible()
      await goTo(page, 'Inbox')
      await expect(page.getByRole('list', { name: 'Open questions of asks' })).toBeVisible()
      await expectNoFaults(page)
      await page.getByRole('button', { name: 'Answer' }).first().click()
      await expect(form(page).getByRole('button', { name: 'Submit' })).toBeEnabled()
      await expectNoFaults(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'More about asks' }).click()
      await page.getByRole('menuitem', { name: 'Mute this server' }).click()
      await expect(page.getByRole('region', { name: 'Muted servers' })).toBeVisible()
      await expectNoFaults(page)
      await goTo(page, 'Servers')
      await page.getByRole('main').getByRole('link', { name: 'asks', exact: true }).click()
      await page.getByRole('combobox', { name: /Sampling/ }).selectOption({ label: 'Ask each time, within a budget' })
      await expect(page.getByRole('textbox', { name: 'Maximum requests' })).toBeVisible()
      await expectNoFaults(page)
      await page.getByRole('tab', { name: 'Roots' }).click()
      await expect(page.getByRole('heading', { name: 'Who sees what' })).toBeVisible()
      await expectNoFaults(page)
    })
    await test.step('server trust and consent pass the axe checks, light and dark, at 200 %, too', async () => {
      await newConversation(page)
      await send(page, 'use asks/read with path=/etc/hosts')
      await expect(consent(page).getByRole('button', { name: 'Allow once' })).toBeEnabled()
      await expectNoFaults(page)
      await answer(page, 'Deny')
      await goTo(page, 'Servers')
      await page.getByRole('main').getByRole('link', { name: 'asks', exact: true }).click()
      await page.getByRole('button', { name: 'Edit server' }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Arguments' }).fill('other.mjs')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await expect(trust(page).getByRole('button', { name: 'Allow' })).toBeEnabled()
      await expectNoFaults(page)
      await shell.trustServer('deny')
    })
  })
})

test('a screen reader announces a question, is led into it, reads all of it, and is led back (TOOL-02, SEC-03, SEC-09)', async ({
  page,
}) => {
  await newConversation(page)
  await send(page, 'use playground/add with a=20 b=22')
  const region = page.getByRole('status').filter({ hasText: 'Question: Run add on Playground?' })
  await expect(region).toBeAttached()
  await expect(consent(page).getByRole('button', { name: 'Deny' })).toBeFocused()
  await expect(consent(page).getByRole('button', { name: 'Allow once' })).toBeEnabled()
  await expect(consent(page)).toMatchAriaSnapshot(`
    - dialog "Allow this tool call?":
      - heading "Allow this tool call?" [level=2]
      - text: server Playground
      - code: add
      - text: /Reads/
      - button "Dismiss"
      - paragraph: From the Playground, which is built into Parley.
      - heading "Arguments" [level=3]
      - table:
        - rowgroup:
          - row "a 20":
            - rowheader "a"
            - cell "20"
          - row "b 22":
            - rowheader "b"
            - cell "22"
      - group: Details
      - group: Why am I asked?
      - button "Deny"
      - button "Allow once"
      - button /^Let .* in this conversation$/
      - button "More choices": More
  `)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectStatus(card(page, 'add'), 'Finished')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
})
