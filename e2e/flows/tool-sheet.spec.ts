import type { Locator, Page } from '@playwright/test'
import { expectNoFaults } from '../shells/axe.ts'
import { press } from '../shells/press.ts'
import { expect, test } from '../shells/shell-test.ts'
import { typeInto, walkTo } from './keyboard-steps.ts'
import { addTrustedServer, answer, card, consent, expectStatus, goTo, newConversation, send, server, serverRow } from './steps.ts'

const boilers = { name: 'boilers', args: [server('small/unknown.mjs')] }

const sheet = (page: Page) => page.getByRole('dialog', { name: 'What the tools of boilers do' })
const row = (page: Page, tool: string) => sheet(page).getByRole('radiogroup', { name: tool, exact: true })
const chosen = (group: Locator) => group.getByRole('radio', { checked: true })
const unmet = (page: Page) => page.getByRole('main').getByText('Parley does not know boilers.')
const changed = (page: Page) => page.getByRole('main').getByText('1 tool of boilers is new or changed.')

async function open(page: Page): Promise<void> {
  await goTo(page, 'Servers')
  await serverRow(page, 'boilers').getByRole('link', { name: 'boilers', exact: true }).click()
}

test.describe('the sheet of tools of an unknown server', () => {
  test('is answered by keyboard alone: tools called reading run unasked, and sending ones ask', async ({ shell, page }) => {
    await addTrustedServer(shell, boilers)
    await newConversation(page)
    await send(page, 'use boilers/boiler with zone=Z7')
    await expect(consent(page)).toContainText('Parley knows neither this server')
    await walkTo(page, page.getByRole('button', { name: 'Review its 205 tools' }))
    await page.keyboard.press('Enter')

    await expect(chosen(row(page, 'boiler'))).toHaveAccessibleName('Unclear')
    await expect(chosen(row(page, 'get_weather'))).toHaveAccessibleName('Reads')
    await expect(chosen(row(page, 'send_note'))).toHaveAccessibleName('Sends out')
    await expect(sheet(page).getByRole('button', { name: 'As guessed' })).toBeVisible()
    await expectNoFaults(page)

    await walkTo(page, chosen(row(page, 'boiler')))
    await page.keyboard.press('i')
    await expect(sheet(page).getByRole('region', { name: 'Description' })).toContainText('<b>Pressure</b> of a boiler')
    await page.keyboard.press('r')
    await expect(row(page, 'boiler').getByRole('radio', { name: 'Reads' })).toBeFocused()
    await expect(row(page, 'boiler').getByRole('radio', { name: 'Reads' })).toBeChecked()
    await walkTo(page, chosen(row(page, 'send_note')))
    await page.keyboard.press('r')
    await expect(chosen(row(page, 'send_note'))).toHaveAccessibleName('Sends out')
    await walkTo(page, sheet(page).getByRole('searchbox', { name: 'Search tools' }), 'Shift+Tab')
    await typeInto(sheet(page).getByRole('searchbox', { name: 'Search tools' }), 'gauge_199')
    await expect(sheet(page).getByRole('radiogroup')).toHaveCount(1)
    await expect(row(page, 'gauge_199')).toBeVisible()
    const save = sheet(page).getByRole('button', { name: 'Save', exact: true })
    await walkTo(page, save)
    await expect(async () => {
      await page.keyboard.press('Enter')
      await expect(save).toHaveCount(0)
    }).toPass()
    await expectStatus(card(page, 'boiler'), 'Finished')
    await expect(consent(page)).toHaveCount(0)
    await expect(unmet(page)).toHaveCount(0)

    await newConversation(page)
    await send(page, 'use boilers/boiler with zone=Z7')
    await expectStatus(card(page, 'boiler'), 'Finished')
    await send(page, 'use boilers/boiler with zone=Z7 text="for bela"')
    await expect(consent(page)).toContainText('You said that this only reads')
    await answer(page, 'Deny')
    await send(page, 'use boilers/send_note with to=bela@px.example text="3 bar"')
    await expect(consent(page)).toBeVisible()
    await answer(page, 'Deny')
  })

  test('asks again only about what an update changed, can be postponed, and is undone on the server’s page', async ({
    shell,
    page,
  }) => {
    await addTrustedServer(shell, boilers)
    await open(page)
    await page.getByRole('button', { name: 'Review what its tools do' }).click()
    await expect(sheet(page).getByRole('list', { name: 'Tools' }).getByRole('listitem').first()).toHaveAttribute(
      'aria-setsize',
      '205',
    )
    await row(page, 'boiler').getByText('Reads').click()
    await press(sheet(page).getByRole('button', { name: 'Save', exact: true }))
    await expect(sheet(page)).toHaveCount(0)
    await expect(unmet(page)).toHaveCount(0)

    await newConversation(page)
    await send(page, 'use boilers/update')
    await answer(page, 'Allow once')
    await expect(changed(page)).toBeVisible()
    await page.getByRole('button', { name: 'Review its tools' }).click()
    await expect(sheet(page).getByRole('radiogroup')).toHaveCount(1)
    await expect(chosen(row(page, 'boiler'))).toHaveAccessibleName('Unclear')
    await expect(sheet(page)).toContainText('guessed, changed')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Not now' }).click()
    await expect(changed(page)).toHaveCount(0)

    await open(page)
    const review = page.getByRole('button', { name: 'Review what its tools do' })
    await review.click()
    const y = async (of: Locator) => (await of.boundingBox())?.y ?? 0
    const below = async () => (await y(review)) - (await y(page.getByRole('heading', { name: 'boilers', exact: true })))
    const before = await below()
    await sheet(page).getByRole('button', { name: 'Take back' }).click()
    await expect(unmet(page)).toBeVisible()
    // It comes once its tools are listed, and would make a click miss.
    expect(await below()).toBe(before)
  })
})
