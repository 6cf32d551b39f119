import { OPEN_LIMIT } from '../../src-main/host/core/interactions.ts'
import { press } from '../shells/press.ts'
import { expect, test } from '../shells/shell-test.ts'
import { addAsker, expectAnswer, form, letAsk } from './question-steps.ts'
import { answer, card, expectShown, expectStatus, goTo, newConversation, openCall, send } from './steps.ts'

const rows = '.inbox-row'

test.describe('the Inbox', () => {
  test.beforeEach(async ({ shell }) => addAsker(shell))

  test('shows twelve questions of one server one after another, and each is answered (ELIC-31)', { tag: '@long' }, async ({
    page,
  }) => {
    await newConversation(page)
    await send(page, 'use asks/ask with what=burst times=12')
    await answer(page, 'Allow once')
    for (let left = 12; left > 0; left--) {
      await expect(
        page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' }),
      ).toHaveAccessibleDescription(left === 1 ? '1 open question' : `${left} open questions`)
      await expect(form(page)).toHaveCount(1)
      await form(page).getByRole('textbox', { name: 'Word' }).fill(`word ${left}`)
      await press(form(page).getByRole('button', { name: 'Submit' }))
    }
    await expect(form(page)).toHaveCount(0)
    await expectAnswer(page, Array(12).fill('accept'))
  })

  test('limits a burst to a few questions, refuses the rest with an error, and declines all at once (SEC-24, ELIC-09, ELIC-31)', async ({
    page,
  }) => {
    await newConversation(page)
    await send(page, 'use asks/ask with what=burst times=200')
    await answer(page, 'Allow once')
    await expect(form(page)).toHaveCount(1)
    await goTo(page, 'Inbox')
    const open = page.getByRole('list', { name: 'Open questions of asks' }).getByRole('listitem')
    await expect(open).toHaveCount(OPEN_LIMIT)
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' })).toHaveAccessibleDescription(
      `${OPEN_LIMIT} open questions`,
    )
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'More about asks' }).click()
    await page.getByRole('menuitem', { name: 'Decline all from this server' }).click()
    await expect(page.getByText('Inbox is empty')).toBeVisible()
    await goTo(page, 'Conversations')
    await page
      .getByRole('link', { name: /^use asks\/ask/ })
      .first()
      .click()
    await expectStatus(card(page, 'ask'), 'Finished')
    const call = await openCall(card(page, 'ask'))
    await call.getByRole('button', { name: /Show all/ }).click()
    const outcomes = JSON.parse((await call.locator('pre').last().textContent()) ?? '[]') as string[]
    expect(outcomes.filter((outcome) => outcome === 'decline')).toHaveLength(OPEN_LIMIT)
    expect(outcomes).toHaveLength(200)
    expect(new Set(outcomes).size).toBeGreaterThan(1)
    expect(outcomes).not.toContain('cancel')
  })

  test('opens nothing by itself, keeps questions over a reload, accepts the first of two answers, and mutes a server (ELIC-08, SEC-02, SEC-24)', async ({
    shell,
    page,
    kind,
  }) => {
    await test.step('lets Escape leave a question when the focus fell to the page, at its conversation and elsewhere', async () => {
      const loseFocus = () => page.evaluate(() => (document.activeElement as HTMLElement).blur())
      await newConversation(page)
      await send(page, 'use asks/ask with what=burst times=2')
      await answer(page, 'Allow once')
      await expect(form(page)).toBeVisible()
      await loseFocus()
      await page.keyboard.press('Escape')
      await goTo(page, 'Inbox')
      await expect(page.locator(rows)).toHaveCount(1)
      await page.getByRole('button', { name: 'Answer' }).click()
      await expect(form(page)).toBeVisible()
      await loseFocus()
      await page.keyboard.press('Escape')
      await expect(page.getByText('Inbox is empty')).toBeVisible()
    })
    await test.step('opens nothing by itself, nor after one was answered, and leads the focus on', async () => {
      await newConversation(page)
      await send(page, 'use asks/ask with what=burst times=3')
      await answer(page, 'Allow once')
      await expect(form(page)).toBeVisible()
      await goTo(page, 'Inbox')
      await expect(page.locator(rows)).toHaveCount(3)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.getByRole('button', { name: 'Answer' }).nth(1).click()
      await form(page).getByRole('textbox', { name: 'Word' }).fill('second')
      await press(form(page).getByRole('button', { name: 'Submit' }))
      await expect(page.locator(rows)).toHaveCount(2)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page.getByRole('heading', { name: 'Inbox' })).toBeFocused()
      await page
        .getByRole('button', { name: /^More about: / })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Decline' }).click()
      await expect(page.locator(rows)).toHaveCount(1)
      await page.getByRole('button', { name: 'More about asks' }).click()
      await page.getByRole('menuitem', { name: 'Decline all from this server' }).click()
      await expect(page.getByText('Inbox is empty')).toBeVisible()
    })
    await test.step('keeps questions over a reload, and the view stays at the newest card when a question opens and closes', async () => {
      await newConversation(page)
      await send(page, 'More lines than the window has.\n'.repeat(60))
      await expect(page.getByRole('article')).toHaveCount(2)
      await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
      await send(page, 'use asks/ask with what=short')
      await answer(page, 'Allow once')
      await expect(form(page)).toBeVisible()
      await expect(card(page, 'ask')).toBeInViewport({ ratio: 0.5 })
      await expect(page.getByRole('button', { name: 'Go to the latest' })).toHaveCount(0)
      await page.reload()
      await expect(form(page)).toBeVisible()
      await form(page).getByRole('button', { name: 'Decline' }).click()
      await expectStatus(card(page, 'ask'), 'Finished')
      await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
      await expect(card(page, 'ask')).toBeInViewport()
      await expect(page.getByRole('button', { name: 'Go to the latest' })).toHaveCount(0)
    })
    await test.step('mutes a server: what is open is declined, what comes is refused unseen, and it can be undone', async () => {
      await letAsk(page, 'short')
      await expect(form(page)).toBeVisible()
      await goTo(page, 'Inbox')
      await page.getByRole('button', { name: 'More about asks' }).click()
      await page.getByRole('menuitem', { name: 'Mute this server' }).click()
      await expect(page.getByRole('region', { name: 'Muted servers' })).toContainText('asks')
      await letAsk(page, 'short')
      await expectStatus(card(page, 'ask'), 'Finished')
      await expectShown(page, 'ask', '"error"')
      await goTo(page, 'Inbox')
      await page.getByRole('button', { name: 'Unmute asks' }).click()
      await expect(page.getByRole('region', { name: 'Muted servers' })).toHaveCount(0)
      await letAsk(page, 'short')
      await expect(form(page)).toBeVisible()
      await form(page).getByRole('button', { name: 'Decline' }).click()
      await expectStatus(card(page, 'ask'), 'Finished')
    })
    await test.step('takes the first answer when two windows answer at once', async () => {
      // The desktop app has one window.
      if (kind === 'electron') return
      await letAsk(page, 'short')
      await form(page).getByRole('textbox', { name: 'Word' }).fill('ours')
      const second = await shell.openWindow()
      await goTo(second, 'Inbox')
      await second.getByRole('button', { name: 'Answer' }).click()
      await expect(form(second).getByRole('textbox', { name: 'Word' })).toHaveValue('ours')
      await expect(form(second).getByRole('button', { name: 'Submit' })).toBeEnabled()
      const buttons = await Promise.all([
        form(page).getByRole('button', { name: 'Submit' }).elementHandle(),
        form(second).getByRole('button', { name: 'Decline' }).elementHandle(),
      ])
      await Promise.all(buttons.map((button) => button?.evaluate((element) => (element as HTMLElement).click())))
      await expect(form(page)).toHaveCount(0)
      await expect(form(second)).toHaveCount(0)
      await expectStatus(card(page, 'ask'), 'Finished')
      await expectShown(page, 'ask', /"action":"(accept|decline)"/)
    })
  })
})
