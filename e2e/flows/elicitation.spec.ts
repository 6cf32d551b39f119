import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expectNoFaults } from '../shells/axe.ts'
import type { DoubleShell } from '../shells/double-shell.ts'
import { press } from '../shells/press.ts'
import { wantsRealElectron } from '../shells/real-electron-shell.ts'
import { expect, test } from '../shells/shell-test.ts'
import { typeInto } from './keyboard-steps.ts'
import { addAsker, address, expectAnswer, form, letAsk, question, samplingRequest } from './question-steps.ts'
import {
  addTrustedServer,
  answer,
  card,
  everything,
  expectServerState,
  expectShown,
  expectStatus,
  goTo,
  newConversation,
  openCall,
  send,
} from './steps.ts'

const decline = { result: { action: 'decline' } }
const cancel = { result: { action: 'cancel' } }

test.describe('a form from a server', () => {
  test('of server-everything is filled in and untouched optional fields are omitted, and a required address comes first (ELIC-10, ELIC-27, V11-10)', {
    tag: '@long',
  }, async ({ shell, page }) => {
    await test.step('a form is filled in, and untouched optional fields stay out but for their defaults', async () => {
      await addTrustedServer(shell, everything)
      await newConversation(page)
      await send(page, 'use everything/trigger-elicitation-request')
      await answer(page, 'Allow once')
      await expect(form(page)).toContainText('everything')
      await expect(form(page)).toContainText('trigger-elicitation-request')
      await expect(form(page).getByRole('region', { name: 'Server’s message' })).toContainText('Please provide inputs')
      await form(page)
        .getByRole('textbox', { name: /^String \(required\)|^String$/ })
        .first()
        .fill('Ada Lovelace')
      await press(form(page).getByRole('button', { name: 'Submit' }))
      await expectStatus(card(page, 'trigger-elicitation-request'), 'Finished')
      const result = await openCall(card(page, 'trigger-elicitation-request'))
      await expect(result).toContainText('Ada Lovelace')
      await expect(result).toContainText('It was a dark and stormy night.')
      await expect(result).not.toContainText('"email"')
      await expect(result).not.toContainText('"birthdate"')
    })
    await test.step('comes first where server-everything insists, and the call is made again only when asked', async () => {
      await newConversation(page)
      await send(page, 'use everything/trigger-url-elicitation with url="https://example.com/x" errorPath=true')
      await answer(page, 'Allow once')
      await expect(address(page).locator('mark')).toHaveText('modelcontextprotocol.io')
      await address(page).getByRole('button', { name: 'Decline' }).click()
      await expectStatus(card(page, 'trigger-url-elicitation'), 'Failed')
    })
  })

  test('has every kind of field, is checked, answered or not in every way, keeps typed text except secrets, and shows the server’s texts as its own (ELIC-04, ELIC-29, TRAP-69)', async ({
    page,
    shell,
  }) => {
    await addAsker(shell)
    await test.step('has every kind of field, filled in by keyboard alone', async () => {
      await letAsk(page, 'form')
      await expect(form(page).getByRole('textbox', { name: 'Nickname' })).toBeFocused()
      const type = async (words: string) => {
        // The field that Tab went to.
        await typeInto(form(page).locator(':focus'), words)
        await page.keyboard.press('Tab')
      }
      await type('Ada')
      await type('ada@example.com')
      await type('https://example.com/ada')
      await type('1815-12-10')
      await type('1843-09-05T12:00:00Z')
      await type('1.5')
      await type('36')
      await page.keyboard.press('Space')
      await page.keyboard.press('Tab')
      await expect(form(page).getByRole('combobox', { name: 'Colour' })).toBeFocused()
      await type('Green')
      await type('Better')
      await page.keyboard.press('Space')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await page.keyboard.press('Tab')
      await expect(form(page).getByRole('textbox', { name: 'Greeting' })).toBeFocused()
      // The whole form may be typed before sending is armed.
      await expect(form(page).getByRole('button', { name: 'Submit' })).toBeEnabled()
      await page.keyboard.press('Enter')
      await expectAnswer(page, {
        result: {
          action: 'accept',
          content: {
            nickname: 'Ada',
            email: 'ada@example.com',
            site: 'https://example.com/ada',
            born: '1815-12-10',
            seen: '1843-09-05T12:00:00Z',
            size: 1.5,
            age: 36,
            news: true,
            colour: 'g',
            plan: 'b',
            days: ['Mon', 'Wed'],
            greeting: 'Hello',
          },
        },
      })
    })
    await test.step('is checked as it is typed and when it is sent, and what is wrong is looked over and changed before it goes', async () => {
      await letAsk(page, 'form')
      const email = form(page).getByRole('textbox', { name: 'Email' })
      await email.fill('nobody')
      await expect(email).toHaveAttribute('aria-invalid', 'true')
      await expect(form(page).getByRole('region', { name: 'Errors' })).toHaveCount(0)
      const age = form(page)
        .getByRole('spinbutton', { name: 'Age' })
        .or(form(page).getByRole('textbox', { name: 'Age' }))
      await age.fill('18.5')
      await press(form(page).getByRole('button', { name: 'Submit' }))
      const summary = form(page).getByRole('region', { name: 'Errors' })
      await expect(summary).toBeFocused()
      await expect(summary.getByRole('listitem')).toHaveCount(4)
      await summary.getByRole('button', { name: /^Nickname/ }).click()
      await expect(form(page).getByRole('textbox', { name: 'Nickname' })).toBeFocused()
      await form(page).getByRole('textbox', { name: 'Nickname' }).fill('Ada')
      await email.fill('ada@example.com')
      await age.fill('18')
      await form(page).getByRole('combobox', { name: 'Colour' }).selectOption({ label: 'Red' })
      await expect(summary).toHaveCount(0)
      await press(form(page).getByRole('button', { name: 'Submit' }))
      await expectAnswer(page, {
        result: {
          action: 'accept',
          content: { nickname: 'Ada', email: 'ada@example.com', age: 18, news: false, colour: 'r', greeting: 'Hello' },
        },
      })
    })
    for (const gesture of ['Cancel', 'Escape', '×'] as const) {
      await test.step(`is cancelled by ${gesture}`, async () => {
        await letAsk(page, 'short')
        await expect(form(page)).toBeVisible()
        if (gesture === 'Escape') await page.keyboard.press('Escape')
        else
          await form(page)
            .getByRole('button', { name: gesture === '×' ? 'Close without an answer' : 'Cancel' })
            .click()
        await expectAnswer(page, cancel)
      })
    }
    await test.step('is declined at any time, with what was typed, as a result without content', async () => {
      await letAsk(page, 'short')
      await form(page).getByRole('textbox', { name: 'Word' }).fill('half a wo')
      await form(page).getByRole('button', { name: 'Decline' }).click()
      await expectAnswer(page, decline)
    })
    await test.step('is cancelled by a click outside where it is modal, but what was typed is discarded only after a question', async () => {
      await letAsk(page, 'short')
      await form(page).getByRole('textbox', { name: 'Word' }).fill('precious')
      await page.keyboard.press('Escape')
      const sure = question(page, 'Discard what you typed?')
      await sure.getByRole('button', { name: 'Cancel' }).click()
      await expect(form(page).getByRole('textbox', { name: 'Word' })).toHaveValue('precious')
      await goTo(page, 'Inbox')
      await expect(form(page)).toHaveCount(0)
      await page.getByRole('button', { name: 'Answer' }).click()
      await expect(form(page).getByRole('textbox', { name: 'Word' })).toHaveValue('precious')
      await page.mouse.click(5, 5)
      await sure.getByRole('button', { name: 'Discard' }).click()
      await goTo(page, 'Conversations')
      await page
        .getByRole('link', { name: /^use asks\/ask/ })
        .first()
        .click()
      await expectAnswer(page, cancel)
    })
    await test.step('without fields is a plain confirmation', async () => {
      await letAsk(page, 'confirm')
      await expect(form(page).getByRole('button', { name: 'Decline' })).toBeFocused()
      await press(form(page).getByRole('button', { name: 'Submit' }))
      await expectAnswer(page, { result: { action: 'accept', content: {} } })
    })
    await test.step('keeps what was typed over a reload, in memory alone', async () => {
      await letAsk(page, 'form')
      await form(page).getByRole('textbox', { name: 'Nickname' }).fill('canary-nickname')
      await form(page).getByRole('combobox', { name: 'Colour' }).selectOption({ label: 'Green' })
      await page.reload()
      await expect(form(page).getByRole('textbox', { name: 'Nickname' })).toHaveValue('canary-nickname')
      await expect(form(page).getByRole('combobox', { name: 'Colour' }).locator('option:checked')).toHaveText('Green')
      for (const file of ['parley.db', 'parley.db-wal']) {
        const kept = await readFile(join(shell.folder, file), 'latin1').catch(() => '')
        expect(kept).not.toContain('canary-nickname')
      }
      await form(page).getByRole('button', { name: 'Decline' }).click()
      await expectAnswer(page, decline)
    })
    await test.step('that asks for a secret warns, offers to decline first, and forgets what was typed there', async () => {
      await letAsk(page, 'secret')
      await expect(form(page).getByRole('note')).toContainText('“API key” looks like a password, key or card number')
      await expect(form(page).getByRole('button', { name: 'Decline' })).toBeFocused()
      await form(page).getByRole('textbox', { name: 'Login' }).fill('ada')
      await form(page).getByRole('textbox', { name: 'API key' }).fill('sk-canary-0002')
      await page.reload()
      await expect(form(page).getByRole('textbox', { name: 'Login' })).toHaveValue('ada')
      await expect(form(page).getByRole('textbox', { name: 'API key' })).toHaveValue('')
      await form(page).getByRole('button', { name: 'Decline' }).click()
      await expectAnswer(page, decline)
    })
    await test.step('shows the words of the server inert and as its own', async () => {
      await letAsk(page, 'spoof')
      const said = form(page).getByRole('region', { name: 'Server’s message' })
      await expect(said).toContainText('<b>Parley</b> needs your <a href="https://evil.example">password</a>')
      await expect(said).toContainText('U+202E')
      await expect(form(page).getByText('server', { exact: true })).toBeVisible()
      await expect(form(page).locator('.server-text a, .server-text b, .elicitation-form a, .elicitation-form img')).toHaveCount(
        0,
      )
      await expect(form(page)).toContainText('<script>alert(1)</script>')
      await form(page).getByRole('button', { name: 'Decline' }).click()
      await expectAnswer(page, decline)
    })
  })
})

test.describe('an address from a server', () => {
  test('is shown whole with its host marked, opens only on a click, and its call is repeated on demand (V11-05, V11-06, V11-10)', async ({
    shell,
    page,
    kind,
  }) => {
    await addAsker(shell)
    await test.step('is shown whole with its host marked, and opens only on a click', async () => {
      const visits: string[] = []
      const site = createServer((request, response) => {
        visits.push(`${request.url} ${request.headers.referer ?? 'no referrer'}`)
        response.end('<title>Signed in</title>')
      })
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
      const port = (site.address() as AddressInfo).port
      const url = `http://127.0.0.1:${port}/sign-in`
      try {
        await newConversation(page)
        await send(page, `use asks/ask with what=visit url=${url}`)
        await answer(page, 'Allow once')
        const dialog = address(page)
        await expect(dialog.getByRole('region', { name: 'Full address' })).toHaveText(url)
        await expect(dialog.locator('mark')).toHaveText(`127.0.0.1:${port}`)
        await expect(dialog.getByRole('list', { name: 'Warnings' })).toContainText('Local or private network address')
        await expect(dialog.getByRole('region', { name: 'Server’s message' }).getByRole('link')).toHaveCount(0)
        await expect(dialog.getByRole('button', { name: 'Decline' })).toBeFocused()
        await expect(dialog.getByRole('button', { name: 'Open' })).toBeEnabled()
        expect(visits).toEqual([])
        const opened = kind === 'web' ? page.context().waitForEvent('page') : undefined
        await press(dialog.getByRole('button', { name: 'Open' }))
        await expectAnswer(page, { result: { action: 'accept' } })
        if (kind === 'web') {
          const tab = await opened
          await expect.poll(() => visits[0]).toBe('/sign-in no referrer')
          expect(await tab?.evaluate(() => window.opener)).toBeNull()
        } else if (!wantsRealElectron) {
          expect((shell as DoubleShell).called('shell.openExternal')).toEqual([[url]])
        }
      } finally {
        site.closeAllConnections()
        site.close()
      }
    })
    await test.step('warns of look-alike letters and of a name before the host, and can be declined or cancelled', async () => {
      await newConversation(page)
      await send(page, 'use asks/ask with what=visit url="https://bank.example@xn--pple-43d.com:8443/"')
      await answer(page, 'Allow once')
      const warnings = address(page).getByRole('list', { name: 'Warnings' })
      await expect(warnings.getByRole('listitem')).toHaveCount(3)
      await expect(address(page).locator('mark')).toHaveText('xn--pple-43d.com:8443')
      await address(page).getByRole('button', { name: 'Decline' }).click()
      await expectAnswer(page, decline)
      await send(page, 'use asks/ask with what=visit')
      await answer(page, 'Allow once')
      await expect(address(page)).toBeVisible()
      await page.keyboard.press('Escape')
      await expectShown(page, 'ask', '"action":"cancel"')
    })
    await test.step('a call that was refused until an address was visited is made again with the same arguments, when the person says so', async () => {
      // Opens the system's browser.
      if (wantsRealElectron) return
      let visits = 0
      const site = createServer(({ url }, response) => {
        if (url === '/sign-in') visits++
        response.end('<title>Signed in</title>')
      })
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/sign-in`
      const open = async () => {
        const opened = kind === 'web' ? page.context().waitForEvent('page') : undefined
        await press(address(page).getByRole('button', { name: 'Open' }))
        const tab = await opened
        // Closed before it has asked, it would never visit.
        await tab?.waitForURL(url)
        await tab?.close()
      }
      try {
        await newConversation(page)
        await send(page, `use asks/members with url=${url} note="the same"`)
        await answer(page, 'Allow once')
        await open()
        const again = question(page, 'Run the tool again?')
        await expect(again).toContainText(new URL(url).host)
        await expect(again).toContainText('Not confirmed by the server yet')
        if (kind === 'web') await expect.poll(() => visits).toBe(1)
        await expect(again.getByRole('button', { name: 'Decline' })).toBeFocused()
        await expect(again.getByRole('button', { name: 'Run again' })).toBeEnabled()
        await expectNoFaults(page)
        await press(again.getByRole('button', { name: 'Run again' }))
        await expectStatus(card(page, 'members'), 'Finished')
        await expectShown(page, 'members', 'call 2: the same')

        await send(page, `use asks/members with url=${url} note="another"`)
        await answer(page, 'Allow once')
        await open()
        await again.getByRole('button', { name: 'Decline' }).click()
        await expectStatus(card(page, 'members'), 'Failed')
      } finally {
        site.closeAllConnections()
        site.close()
      }
    })
  })
})

test('an older server gets no dialog, and one with the switch for the draft profile gets its answers (ELIC-02, ELIC-12, ELIC-21)', {
  tag: '@long',
}, async ({ shell, page }) => {
  await test.step('an older server without the feature gets no dialog', async () => {
    await addAsker(shell, '--revision', '2025-03-26')
    await letAsk(page, 'short')
    await expectStatus(card(page, 'ask'), 'Finished')
    await expectShown(page, 'ask', '-32601')
    await expect(form(page)).toHaveCount(0)
  })
  await test.step('the draft profile, a switch of the server, speaks of reject and knows patterns', async () => {
    await goTo(page, 'Servers')
    await page.getByRole('main').getByRole('link', { name: 'asks', exact: true }).click()
    await page.getByRole('button', { name: 'Edit server' }).click()
    const editor = page.getByRole('dialog', { name: 'Edit server' })
    await editor.getByText('Advanced').click()
    await editor.getByRole('switch', { name: /draft/i }).check()
    await editor.getByRole('button', { name: 'Save' }).click()
    await expect(editor).toHaveCount(0)
    // The switch takes effect in a new connection, which the change itself makes.
    await page.getByRole('tab', { name: 'Log' }).click()
    await expect(page.getByRole('main').getByText('Ready.', { exact: true })).toHaveCount(2)
    await letAsk(page, 'pattern')
    const plate = form(page).getByRole('textbox', { name: 'Plate' })
    await plate.fill('nonsense')
    await press(form(page).getByRole('button', { name: 'Submit' }))
    await expect(plate).toHaveAccessibleDescription(/pattern/)
    await form(page).getByRole('button', { name: 'Decline' }).click()
    await expectAnswer(page, { result: { action: 'reject' } })
  })
})

test('an elicitation ends when the server withdraws it, stops waiting or dies, or its turn is stopped, and its call says so (ELIC-30, SAMP-32, LIFE-39)', {
  tag: '@long',
}, async ({ shell, page }) => {
  const mark = join(shell.folder, 'asks.pid')
  await addAsker(shell, '--mark', mark)
  const expired = page.getByRole('region', { name: 'Expired' }).getByText(/asks asks/)
  let count = 0
  await test.step('a form and a sampling request go away when the server takes them back', async () => {
    for (const [what, dialog] of [
      ['short', form(page)],
      ['sample-plain', samplingRequest(page)],
    ] as const) {
      await letAsk(page, what)
      await expect(dialog).toBeVisible()
      await letAsk(page, 'nothing-more')
      await expectStatus(card(page, 'ask'), 'Finished')
      await goTo(page, 'Inbox')
      await expect(page.getByText('Inbox is empty')).toBeVisible()
      count += 1
      await expect(expired).toHaveCount(count)
    }
  })
  await test.step('an elicitation ends when its server dies, and the Inbox says why', async () => {
    await letAsk(page, 'short')
    await expect(form(page)).toBeVisible()
    process.kill(Number(await readFile(mark, 'utf8')), 'SIGKILL')
    await expect(form(page)).toHaveCount(0)
    await expectStatus(card(page, 'ask'), 'Failed')
    await goTo(page, 'Inbox')
    await expect(expired).toHaveCount(count + 1)
    await expectServerState(page, 'asks', 'Ready')
  })
  await test.step('an elicitation ends when its turn is stopped', async () => {
    await letAsk(page, 'short')
    await expect(form(page)).toBeVisible()
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(form(page)).toHaveCount(0)
    await expectStatus(card(page, 'ask'), 'Cancelled')
  })
  await test.step('a call tells of the question that its server stopped waiting for, and keeps the error of its library', async () => {
    for (const [what, dialog, sentence] of [
      ['short', form(page), 'You were asked for information and the server stopped waiting.'],
      ['sample-plain', samplingRequest(page), 'You were asked to let the server use your model and the server stopped waiting.'],
    ] as const) {
      await letAsk(page, `${what} impatient=true`)
      await expect(dialog).toBeVisible()
      await letAsk(page, 'nothing-more')
      await expectStatus(card(page, 'ask'), 'Finished')
      await goTo(page, 'Conversations')
      await page.getByRole('link', { name: new RegExp(`^use asks/ask with what=${what} impatient`) }).click()
      await expectStatus(card(page, 'ask'), 'Error')
      await expect(card(page, 'ask')).toContainText(sentence)
      await expect(card(page, 'ask')).not.toContainText('-32001')
      await expect(await openCall(card(page, 'ask'))).toContainText('MCP error -32001: Request timed out')
    }
  })
})
