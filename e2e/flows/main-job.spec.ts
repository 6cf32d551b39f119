import { expect, test } from '../shells/shell-test.ts'
import { hearing, walkTo } from './keyboard-steps.ts'
import {
  addLocalServer,
  addTrustedServer,
  answer,
  card,
  consent,
  expectServerState,
  expectShown,
  expectStatus,
  goTo,
  goToSettings,
  newConversation,
  official,
  openCall,
  send,
  server,
  trust,
} from './steps.ts'

test.describe('a newcomer’s main job', () => {
  test('makes a first tool call, and a restart shows the conversation with its results (SEC-08, TOOL-02)', async ({
    shell,
    page,
  }) => {
    await test.step('a newcomer makes a first tool call with the Demo model and the Playground', async () => {
      await page.getByRole('button', { name: /try/i }).first().click()
      const question = consent(page)
      await expect(question).toContainText('Playground')
      await expect(question).toContainText('add')
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'add'), 'Finished')
      await expectShown(page, 'add', '2 + 3 = 5')
      expect(shell.output()).not.toContain('Error')
    })
    await test.step('quitting and starting again finds the conversation with its results', async () => {
      await newConversation(page)
      await send(page, 'use playground/add with a=4 b=5')
      await answer(page, 'Allow once')
      await expectShown(page, 'add', '4 + 5 = 9')
      await expect(page.getByText('answered:')).toBeVisible()

      const again = await shell.restart()
      await goTo(again, 'Conversations')
      await again.getByRole('link', { name: /^use playground\/add/ }).click()
      await expectStatus(card(again, 'add'), 'Finished')
      await expectShown(again, 'add', '4 + 5 = 9')
    })
  })

  test('is done by keyboard alone, with the question and the end announced', { tag: '@web' }, async ({ page }) => {
    const start = page.getByRole('button', { name: /try/i }).first()
    await expect(start).toBeVisible()
    const heard = await hearing(page)
    await walkTo(page, start)
    await page.keyboard.press('Enter')
    await expect(consent(page).getByRole('button', { name: 'Deny', exact: true })).toBeFocused()
    const allow = consent(page).getByRole('button', { name: 'Allow once' })
    await expect(allow).toBeEnabled()
    await walkTo(page, allow)
    await page.keyboard.press('Enter')
    await expectStatus(card(page, 'add'), 'Finished')
    await expect.poll(heard).toEqual(['Question: Run add on Playground?', 'Demo (not an AI) has replied after 1 tool call.'])
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
    await walkTo(page, page.getByRole('button', { name: /^Finished add/ }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(card(page, 'add')).toContainText('2 + 3 = 5')
  })

  test('includes a real server added, trusted or never started, called, denied, always allowed and revoked, and its sound played (SEC-02, SEC-22, TOOL-07) @web', async ({
    shell,
    page,
  }) => {
    await test.step('a real server is added, trusted, called, denied, always allowed and revoked', async () => {
      const started = { name: 'everything', command: process.execPath, args: `"${official('server-everything')}" stdio` }
      await addLocalServer(page, started)
      await shell.trustServer('allow', 'as proposed')
      await expectServerState(page, 'everything', 'Ready')

      await newConversation(page)
      await send(page, 'use everything/echo with message="hello from the page"')
      await expect(consent(page).getByRole('row', { name: 'message hello from the page' })).toBeVisible()
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'echo'), 'Finished')
      await expectShown(page, 'echo', 'Echo: hello from the page')

      await send(page, 'use everything/get-sum with a=20 b=22')
      await answer(page, 'Deny')
      await expectStatus(card(page, 'get-sum'), 'Declined')
      await expect(await openCall(card(page, 'get-sum'))).not.toContainText('42')

      await send(page, 'use everything/get-sum with a=20 b=22')
      await answer(page, 'Always allow')
      await expectShown(page, 'get-sum', '42')
      await send(page, 'use everything/get-sum with a=30 b=33')
      await expectShown(page, 'get-sum', '63')
      await expect(consent(page)).toHaveCount(0)

      await goToSettings(page, 'Consent rules')
      await expect(page.getByRole('list', { name: 'Rules' })).toContainText('everything')
      await expect(page.getByRole('list', { name: 'Rules' })).toBeVisible()
      const remove = page.getByRole('list', { name: 'Rules' }).getByRole('button', { name: 'Remove' })
      await expect(remove).not.toHaveCount(0)
      for (let left = await remove.count(); left > 0; left -= 1) {
        await remove.first().click()
        await expect(remove).toHaveCount(left - 1)
      }

      await goTo(page, 'Conversations')
      await page.getByRole('link', { name: /^use everything\/echo/ }).click()
      await send(page, 'use everything/get-sum with a=1 b=1')
      await expect(consent(page)).toBeVisible()
      await answer(page, 'Deny')
    })
    await test.step('a server that nobody trusts is never started', async () => {
      await goTo(page, 'Servers')
      await addLocalServer(page, { name: 'refused', command: process.execPath, args: `"${official('server-everything')}" stdio` })
      await expect(trust(page)).toContainText('server-everything')
      await shell.trustServer('deny')
      await expectServerState(page, 'refused', /Denied|Not allowed|Not started/)
    })
    await test.step('a sound of a server can be played from any place of it', async () => {
      await addTrustedServer(shell, { name: 'sound', args: [server('small/sound.mjs')] })
      await newConversation(page)
      await send(page, 'use sound/tone')
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'tone'), 'Finished')
      await openCall(card(page, 'tone'))
      const played = await card(page, 'tone')
        .locator('audio')
        .evaluate(async (audio: HTMLAudioElement) => {
          const happens = (name: string) =>
            new Promise((resolve, reject) => {
              audio.addEventListener(name, resolve, { once: true })
              audio.addEventListener('error', () => reject(new Error('The sound does not play')), { once: true })
            })
          if (audio.readyState === 0) await happens('loadedmetadata')
          const sought = happens('seeked')
          audio.currentTime = 1.5
          await sought
          const ended = happens('ended')
          await audio.play()
          await ended
          return [audio.duration, audio.currentTime]
        })
      expect(played).toEqual([2, 2])
    })
  })
})
