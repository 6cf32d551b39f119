import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AuthServer } from '../servers/auth-server.ts'
import { ProtectedServer } from '../servers/protected-server.ts'
import { press } from '../shells/press.ts'
import { expect, test } from '../shells/shell-test.ts'
import { type ModelReply, startModelApi } from '../support/model-api.ts'
import {
  addAsker,
  address,
  connectModel,
  expectAnswer,
  folders,
  form,
  letAsk,
  question,
  samplingReply,
  samplingRequest,
} from './question-steps.ts'
import { clickInPlace, expectPatience, holdTime, moveAndPress } from './resting-pointer.ts'
import {
  addTrustedServer,
  answer,
  card,
  chooseModel,
  consent,
  everything,
  expectStatus,
  goToSettings,
  newConversation,
  send,
  server,
  serverRow,
} from './steps.ts'

const desk = (name: string) => ({ name, args: [server('small/desk.mjs'), name] })
const call = (name: string, args: unknown): ModelReply => ({ calls: [{ name, arguments: JSON.stringify(args) }] })

test.describe('a resting pointer grants nothing, and a moved one does,', () => {
  test('on a tool call, the next question in its place, the calls of a round, and “More choices”, whose widest needs a second act', async ({
    shell,
    page,
  }) => {
    await test.step('on a tool call, the next question in its place, and the calls of a round', async () => {
      await test.step('on a tool call, and on the next question in its place', async () => {
        await addTrustedServer(shell, desk('mail'))
        const api = await startModelApi((_request, n) =>
          n < 2 ? call('send_mail', { to: `bob${n}@example.com`, body: 'hello' }) : { text: 'All sent.' },
        )
        try {
          await connectModel(page, `${api.url}/v1`, 'OpenAI-compatible', 'llama3.2')
          await newConversation(page)
          await chooseModel(page, 'llama3.2')
          await send(page, 'Write to both')
          const question = consent(page)
          const allow = question.getByRole('button', { name: 'Allow once' })
          await expect(allow).toBeEnabled()
          await holdTime(page)
          await moveAndPress(page, allow)
          await page.clock.runFor(100)
          await expect(question).toContainText('bob1@example.com')
          await clickInPlace(page)
          await expect(question).toContainText('bob1@example.com')
          await page.clock.resume()
          await expectPatience(page, allow)
          await expect(page.getByText('All sent.')).toBeVisible()
        } finally {
          await api.close()
        }
      })
      await test.step('on the calls of a round', async () => {
        await newConversation(page)
        await chooseModel(page, 'Demo (not an AI)')
        await send(page, 'use mail/send_mail with to=a@example.com body=a; mail/send_mail with to=b@example.com body=b')
        const question = page.getByRole('dialog', { name: 'Allow these tool calls?' })
        await expectPatience(page, question.getByRole('button', { name: 'Allow once' }))
        await expectStatus(card(page, 'send_mail'), 'Finished')
      })
    })
    await test.step('on “More choices”, whose widest choice needs a second act elsewhere', async () => {
      await newConversation(page)
      await send(page, 'use mail/send_mail with to=bob@example.com body=hello')
      const question = consent(page)
      const more = question.getByRole('button', { name: 'More choices' })
      await expect(question.getByRole('button', { name: 'Allow once' })).toBeEnabled()
      await holdTime(page)
      await moveAndPress(page, more)
      await clickInPlace(page)
      await expect(question).toBeVisible()

      // Opened by key, it comes up under a pointer that rests where its last item will be.
      const items = question.getByRole('menuitem')
      await more.press('Enter')
      const widest = question.getByRole('menuitem', { name: /with any arguments always/ })
      await expect(items.first()).toHaveAccessibleName(/until this reply ends|with any arguments always/)
      const box = await widest.boundingBox()
      const at = await more.boundingBox()
      if (!box || !at) throw new Error('no menu')
      // The narrowest is nearest, and nothing of the menu lies over its button.
      const rows = await Promise.all((await items.all()).map(async (item) => ((await item.boundingBox())?.y ?? 0) - at.y))
      expect(Math.abs(box.y - at.y)).toBe(Math.max(...rows.map(Math.abs)))
      expect(Math.min(...rows.map(Math.abs))).toBeGreaterThanOrEqual(20)
      await page.keyboard.press('Escape')
      await expect(items).toHaveCount(0)
      await expect(more).toBeFocused()
      await page.mouse.move(box.x + 20, box.y + 10, { steps: 2 })
      const narrower = question.getByRole('menuitem', { name: /until this reply ends/ })
      await more.press('Enter')
      await expect(narrower).toBeVisible()
      await page.keyboard.press('Escape')

      const second = page.getByRole('dialog', { name: 'Always, with any arguments?' })
      const askAgain = async () => {
        await more.press('Enter')
        await widest.press('Enter')
      }
      await askAgain()
      await expect(second).toContainText('In every conversation')
      await page.clock.resume()
      await expectPatience(page, second.getByRole('button', { name: 'Always allow' }), async () => {
        await page.keyboard.press('Escape')
        await expect(second).toHaveCount(0)
        await askAgain()
      })
      await expectStatus(card(page, 'send_mail'), 'Finished')
    })
  })

  test('on the start of one or several servers, a sign-in, and client credentials', async ({ shell, page }) => {
    await test.step('the start of a server, and of several', async () => {
      const ok = { command: process.execPath, args: [server('small/ok.mjs')] }
      const servers = (...names: string[]) =>
        writeFile(
          join(shell.folder, 'mcp.json'),
          JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, ok])) }),
        )
      await servers('one')
      const one = page.getByRole('dialog', { name: 'Start this server?' })
      await expectPatience(page, one.getByRole('button', { name: 'Allow' }))
      await expect(one).toHaveCount(0)
      await servers('one', 'two', 'three')
      const several = page.getByRole('dialog', { name: 'Start these 2 servers?' })
      await expectPatience(page, several.getByRole('button', { name: 'Allow 2' }))
      await expect(several).toHaveCount(0)
    })
    await test.step('a sign-in', async () => {
      const auth = await AuthServer.start()
      const guarded = await ProtectedServer.start(auth)
      try {
        await writeFile(
          join(shell.folder, 'mcp.json'),
          JSON.stringify({ mcpServers: { guarded: { type: 'http', url: guarded.url } } }),
        )
        await shell.trustServer('allow')
        const question = page.getByRole('dialog', { name: 'Sign in to guarded?' })
        const opened = page.context().waitForEvent('page')
        await expectPatience(page, question.getByRole('button', { name: 'Continue' }))
        const tab = await opened
        await expect(tab.getByText('You can close this tab')).toBeVisible()
        await tab.close()
        await expect(question).toHaveCount(0)
        expect(auth.grants('authorization_code')).toHaveLength(1)
      } finally {
        await guarded.stop()
        await auth.stop()
      }
    })
    await test.step('the client that signs in', async () => {
      const auth = await AuthServer.start({ registration: 'closed' })
      const guarded = await ProtectedServer.start(auth)
      try {
        await writeFile(
          join(shell.folder, 'mcp.json'),
          JSON.stringify({ mcpServers: { guarded: { type: 'http', url: guarded.url } } }),
        )
        await shell.trustServer('allow')
        const which = question(page, 'Which app signs in to guarded?')
        const enter = () => which.getByRole('textbox', { name: 'Client ID' }).fill('ours')
        await enter()
        await expectPatience(page, which.getByRole('button', { name: 'Use this client' }), async () => {
          await page.reload()
          await enter()
        })
        await expect(question(page, 'Sign in to guarded?')).toBeVisible()
      } finally {
        await guarded.stop()
        await auth.stop()
      }
    })
  })

  test('on a chosen folder, and on sharing it without a question', { tag: '@long' }, async ({ shell, page }) => {
    await addTrustedServer(shell, everything)
    await newConversation(page)
    await send(page, 'use everything/get-roots-list')
    await answer(page, 'Allow once')
    const dialog = question(page, 'Folders for everything')
    const picker = question(page, 'Choose a folder')
    const openPicker = () => dialog.getByRole('button', { name: 'Add a folder …' }).press('Enter')
    const choose = picker.getByRole('button', { name: 'Choose' })
    await page.getByRole('button', { name: 'Choose folders' }).press('Enter')
    await openPicker()
    await expectPatience(page, choose, async () => {
      await page.keyboard.press('Escape')
      await expect(picker).toHaveCount(0)
      await openPicker()
    })
    await expect(dialog.getByRole('list', { name: 'Added folders' })).not.toBeEmpty()

    await expectPatience(page, dialog.getByRole('button', { name: 'Share', exact: true }), async () => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Choose folders' }).press('Enter')
      await openPicker()
      await expect(picker.getByRole('list')).toBeVisible()
      await page.clock.runFor(1000)
      await choose.press('Enter')
      await expect(picker).toHaveCount(0)
    })
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('everything wants access to a folder.')).toHaveCount(0)
  })

  test('on a model’s link, trust in a server’s hints, the powers of a tool, and a backup to restore', { tag: '@long' }, async ({
    shell,
    page,
  }) => {
    await test.step('a link that a model wrote', async () => {
      const api = await startModelApi(() => ({ text: 'Read [the page](https://example.com/a).' }))
      try {
        await connectModel(page, `${api.url}/v1`, 'OpenAI-compatible', 'llama3.2')
        await newConversation(page)
        await chooseModel(page, 'llama3.2')
        await send(page, 'where?')
        const link = page.getByRole('link', { name: 'the page' })
        const question = page.getByRole('dialog', { name: 'Open this link?' })
        await link.press('Enter')
        await expect(question).toBeVisible()
        const visit = question.getByRole('button', { name: 'Visit it' })
        const opened = page.context().waitForEvent('page')
        await expectPatience(page, visit, async () => {
          await page.keyboard.press('Escape')
          await expect(question).toHaveCount(0)
          await link.press('Enter')
        })
        await (await opened).close()
      } finally {
        await api.close()
      }
    })
    await test.step('trust in a server’s hints, and the powers of a tool', async () => {
      await addTrustedServer(shell, { name: 'ok', args: [server('small/ok.mjs')] })
      await serverRow(page, 'ok').getByRole('link', { name: 'ok', exact: true }).click()
      // So high that nothing is scrolled, and it comes up where it was.
      await page.setViewportSize({ width: 1280, height: 1600 })
      const trust = page.getByRole('switch', { name: 'Trust this server’s hints' })
      await expect(trust).toBeEnabled()
      await expectPatience(page, trust, undefined, () => expect(trust).not.toBeChecked())
      await expect(trust).toBeChecked()

      await page.getByRole('tab', { name: 'Tools', exact: true }).click()
      await page.getByRole('link', { name: 'echo', exact: true }).click()
      const open = () => page.getByRole('button', { name: 'Say what it does' }).press('Enter')
      const sheet = page.getByRole('dialog', { name: 'What echo does' })
      const save = sheet.getByRole('button', { name: 'Save' })
      await open()
      const comesUp = async () => {
        await page.keyboard.press('Escape')
        await expect(sheet).toBeHidden()
        // Long enough to be seen as closed.
        await page.clock.runFor(200)
        await open()
      }
      await expectPatience(page, save, comesUp, () => expect(sheet).toBeVisible())
      await expect(sheet).toBeHidden()
    })
    await test.step('a backup that is restored', async () => {
      await goToSettings(page, 'Data')
      const data = page.getByRole('region', { name: 'Data' })
      await data.getByRole('button', { name: 'Back up …' }).click()
      const saving = page.waitForEvent('download')
      await page.getByRole('dialog').getByRole('button', { name: 'Back up' }).click()
      const backup = await (await saving).path()
      await page.getByRole('dialog', { name: 'Backed up' }).getByRole('button', { name: 'Close' }).click()
      const review = question(page, 'Restore this backup?')
      const open = async () => {
        const choosing = page.waitForEvent('filechooser')
        await data.getByRole('button', { name: 'Restore …' }).press('Enter')
        await (await choosing).setFiles(backup)
        await expect(review).toBeVisible()
      }
      await open()
      await expectPatience(page, review.getByRole('button', { name: 'Restore' }), async () => {
        await page.keyboard.press('Escape')
        await expect(review).toHaveCount(0)
        await open()
      })
      await expect(review).toHaveCount(0)
    })
  })

  test('on running a tool by hand, a repeated call, a form, an address, folders, a sampling request and its reply', {
    tag: '@long',
  }, async ({ shell, page }) => {
    await test.step('on running a tool by hand', async () => {
      await addTrustedServer(shell, { name: 'ok', args: [server('small/ok.mjs')] })
      await serverRow(page, 'ok').getByRole('link', { name: 'ok', exact: true }).click()
      await page.getByRole('tab', { name: 'Tools', exact: true }).click()
      await page.getByRole('main').getByRole('link', { name: 'level' }).first().click()
      const result = page.getByRole('main').locator('.content-result')
      // So high that nothing is scrolled, and it comes up where it was.
      const size = page.viewportSize() ?? { width: 1280, height: 720 }
      await page.setViewportSize({ width: 1280, height: 1600 })
      await expectPatience(page, page.getByRole('button', { name: 'Run', exact: true }), undefined, async () => {
        // The button stays when it was pressed; the traffic tells.
        await page.clock.resume()
        await page.getByRole('tab', { name: 'Traffic', exact: true }).press('Enter')
        await expect(page.getByRole('main')).toContainText('tools/list')
        await expect(page.getByRole('main')).not.toContainText('tools/call')
        await page.getByRole('tab', { name: 'Tools', exact: true }).press('Enter')
        await page.getByRole('main').getByRole('link', { name: 'level' }).first().press('Enter')
        await expect(result).toHaveCount(0)
      })
      await expect(result).toHaveCount(1)
      await page.setViewportSize(size)
    })
    await addAsker(shell)
    await test.step('on a form', async () => {
      await letAsk(page, 'confirm')
      await expectPatience(page, form(page).getByRole('button', { name: 'Submit' }))
      await expectAnswer(page, { result: { action: 'accept', content: {} } })
    })
    await test.step('on an address that a server wants opened', async () => {
      await letAsk(page, 'visit')
      const opened = page.context().waitForEvent('page')
      await expectPatience(page, address(page).getByRole('button', { name: 'Open' }))
      await (await opened).close()
      await expectStatus(card(page, 'ask'), 'Finished')
    })
    await test.step('on a call that is made again', async () => {
      const site = await startModelApi(() => ({ text: '' }))
      try {
        await newConversation(page)
        await send(page, `use asks/members with url=${site.url} note=x`)
        await answer(page, 'Allow once')
        const opened = page.context().waitForEvent('page')
        await press(address(page).getByRole('button', { name: 'Open' }))
        await (await opened).close()
        await expectPatience(page, question(page, 'Run the tool again?').getByRole('button', { name: 'Run again' }))
        await expectStatus(card(page, 'members'), 'Finished')
      } finally {
        await site.close()
      }
    })
    await test.step('on folders that a server is told of', async () => {
      const notes = `${shell.folder}-notes`
      await mkdir(notes)
      await letAsk(page, 'roots')
      await page.getByRole('button', { name: 'Add a folder …' }).last().click()
      const picker = page.getByRole('dialog', { name: 'Choose a folder' })
      await picker.getByRole('textbox', { name: 'Folder' }).fill(notes)
      await picker.getByRole('button', { name: 'Go' }).click()
      await expect(picker.getByRole('list')).toHaveAccessibleName(`Folders in ${notes}`)
      await picker.getByRole('button', { name: 'Choose' }).click()
      await expect(folders(page).getByRole('list', { name: 'Added folders' })).toContainText(notes)
      await expectPatience(page, folders(page).getByRole('button', { name: 'Share', exact: true }))
      await expectStatus(card(page, 'ask'), 'Finished')
    })
    await test.step('on a sampling request and on its reply', async () => {
      await letAsk(page, 'sample-plain')
      await expectPatience(page, samplingRequest(page).getByRole('button', { name: 'Send to model' }))
      const reply = samplingReply(page).getByRole('button', { name: 'Send to server' })
      await expect(reply).toBeEnabled()
      await expectPatience(page, reply)
      await expectStatus(card(page, 'ask'), 'Finished')
    })
  })
})
