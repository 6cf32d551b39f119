import type { Page } from 'playwright'
import { expectNoFaults } from '../shells/axe.ts'
import type { RunningShell } from '../shells/running-shell.ts'
import { expect, test } from '../shells/shell-test.ts'
import { startModelApi } from '../support/model-api.ts'
import { typeInto } from './keyboard-steps.ts'
import { connectModel } from './question-steps.ts'
import {
  addTrustedServer,
  answer,
  card,
  chooseModel,
  everything,
  expectStatus,
  goTo,
  goToSettings,
  newConversation,
  send,
  server,
} from './steps.ts'

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const attached = (page: Page) => page.getByRole('list', { name: 'Attached to your message' })

/** Adds the official server, and opens its page. */
async function startEverything(shell: RunningShell): Promise<void> {
  const { page } = shell
  await addTrustedServer(shell, everything)
  await page.getByRole('main').getByRole('link', { name: 'everything', exact: true }).click()
}

/** The option that the field stands on, as a screen reader is told. */
async function expectActive(page: Page, name: RegExp): Promise<void> {
  const option = page.getByRole('option', { name })
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expect(message(page)).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? 'none')
}

test.describe('the list at the caret', () => {
  const prompts = (page: Page) => page.getByRole('listbox', { name: 'Prompts' })
  const resources = (page: Page) => page.getByRole('listbox', { name: 'Files, resources, notes and conversations' })

  test('of prompts and resources narrows while typing, follows the arrow keys, and does not disturb a message', async ({
    shell,
    page,
  }) => {
    await startEverything(shell)
    await test.step('prompts narrow while one types on, go by arrows and close by Escape; one without arguments is used at once', async () => {
      await newConversation(page)
      await message(page).pressSequentially('/')
      await expect(prompts(page).getByRole('option')).toHaveCount(5)
      await expectActive(page, /Simple Prompt/)
      await page.keyboard.press('ArrowDown')
      await expectActive(page, /Arguments Prompt/)
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await expectActive(page, /Browse all prompts/)
      await expectNoFaults(page)
      await page.keyboard.press('Escape')
      await expect(prompts(page)).toHaveCount(0)
      await expect(message(page)).toHaveValue('/')
      await expect(message(page)).toBeFocused()

      await message(page).fill('')
      await message(page).pressSequentially('/simple')
      await expect(prompts(page).getByRole('option')).toHaveCount(2)
      await expectActive(page, /Simple Prompt/)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('article', { name: 'You' })).toContainText('simple prompt without arguments')
      await expect(page.getByRole('article')).toHaveCount(2)
      await expect(message(page)).toHaveValue('')
    })
    await test.step('a prompt with arguments opens its dialog, and a message may begin with /', async () => {
      await newConversation(page)
      await message(page).pressSequentially('/arg')
      await expectActive(page, /Arguments Prompt/)
      await page.keyboard.press('Tab')
      const dialog = page.getByRole('dialog', { name: 'Use a prompt' })
      await expect(dialog.getByRole('combobox', { name: 'city' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(message(page)).toHaveValue('/arg')

      await message(page).fill('')
      await message(page).pressSequentially('/etc/hosts is gone')
      await expect(prompts(page)).toHaveCount(0)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('article', { name: 'You' })).toContainText('/etc/hosts is gone')
    })
    await test.step('a resource that is chosen is attached, and what was typed for it leaves the message', async () => {
      await newConversation(page)
      await message(page).pressSequentially('mail me@home')
      await expect(resources(page)).toHaveCount(0)
      await message(page).fill('')
      await message(page).pressSequentially('look at @archi')
      await expectActive(page, /architecture\.md/)
      await expect(message(page)).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(attached(page)).toContainText('architecture.md')
      await expect(message(page)).toHaveValue('look at ')
      await typeInto(message(page), '@feat')
      await resources(page)
        .getByRole('option', { name: /features\.md/ })
        .click()
      await expect(attached(page).getByRole('listitem')).toHaveCount(2)
      await expect(message(page)).toHaveValue('look at ')
    })
    await test.step('a past conversation is named by its title, and its text goes along', async () => {
      await typeInto(message(page), '@hosts is')
      await expectActive(page, /hosts is gone/)
      await page.keyboard.press('Enter')
      await expect(attached(page)).toContainText('Conversation - etc hosts is gone')
      await expect(message(page)).toHaveValue('look at ')
    })
    await test.step('a web page is offered by its address, and one on this computer is refused in its place', async () => {
      await typeInto(message(page), '@http://127.0.0.1:9/a')
      await expectActive(page, /^Read this page: 127\.0\.0\.1:9/)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('list', { name: 'Files being attached' })).toContainText('127.0.0.1 is on your computer')
      await expect(message(page)).toHaveValue('look at ')
      await page.getByRole('button', { name: 'Dismiss' }).click()
    })
    await test.step('an answer is saved as a note, which goes along with another message', async () => {
      await newConversation(page)
      await message(page).fill('hello')
      await message(page).press('Enter')
      await page.getByRole('button', { name: 'More about this reply' }).click()
      await page.getByRole('menuitem', { name: 'Save as note' }).click()
      await newConversation(page)
      await message(page).pressSequentially('see @')
      await resources(page).getByRole('option', { name: /note$/ }).click()
      await expect(attached(page)).toContainText('Note - ')
    })
    await test.step('the tools of a server say how many cannot be offered to models, and lead to the reason', async () => {
      await addTrustedServer(shell, { name: 'app', args: [server('small/app.mjs')] })
      await newConversation(page)
      await page.getByRole('button', { name: /^Tools \(/ }).click()
      const group = page.getByRole('group', { name: 'app', exact: true })
      await group.getByRole('button', { name: '8 of 8 tools' }).click()
      await expect(group).toContainText('2 tools cannot be offered to models.')
      await group.getByRole('link', { name: 'See why' }).click()
      await expect(page).toHaveURL(/servers\/app\/tools$/)
    })
  })
})

test.describe('the model picker', () => {
  const models = (page: Page) => page.getByRole('listbox', { name: 'Models' })
  const search = (page: Page) => page.getByRole('combobox', { name: 'Search models' })

  test('is searched and used by keyboard, shows the abilities of models, and the effort stays with the conversation', async ({
    page,
  }) => {
    await test.step('is searched and chosen from by keyboard, says what models can do, and offers none that cannot chat', async () => {
      let lists = true
      const api = await startModelApi(
        () => ({ text: 'Hello from five.' }),
        () => lists,
      )
      try {
        await connectModel(page, `${api.url}/v1`, 'OpenAI', 'gpt-5')
        await newConversation(page)
        const button = page.getByRole('button', { name: 'Model: Demo (not an AI)' })
        await button.focus()
        await page.keyboard.press('Enter')
        await expect(search(page)).toBeFocused()
        await expect(models(page).getByRole('option')).toHaveCount(3)
        await expect(models(page)).not.toContainText('embedding')
        await expect(models(page).getByRole('group', { name: 'OpenAI' }).getByRole('option')).toHaveCount(2)
        await expect(models(page).getByRole('option', { name: /gpt-5/ })).toContainText(
          /images.*effort.*400k tokens.*\$1\.25 \/ \$10/,
        )
        await expectNoFaults(page)
        await typeInto(search(page), 'gpt')
        await expect(models(page).getByRole('option')).toHaveCount(1)
        await expect(search(page)).toHaveAttribute(
          'aria-activedescendant',
          (await models(page).getByRole('option').getAttribute('id')) ?? 'none',
        )
        await page.keyboard.press('Enter')
        await expect(models(page)).toHaveCount(0)
        await expect(page.getByRole('button', { name: 'Model: gpt-5' })).toBeFocused()
        await page.keyboard.press('Enter')
        await expect(search(page)).toBeFocused()
        await page.keyboard.press('Escape')
        await expect(models(page)).toHaveCount(0)
        await expect(page.getByRole('button', { name: 'Model: gpt-5' })).toBeFocused()
        await send(page, 'hello')
        await expect(page.getByText('Hello from five.')).toBeVisible()
        expect(api.requests[0]?.body).toMatchObject({ model: 'gpt-5' })
        // The choice was for that conversation; the default stays the Demo, as the person has set it.
        await newConversation(page)
        await expect(page.getByRole('button', { name: 'Model: Demo (not an AI)', exact: true })).toBeVisible()
        lists = false
        await goTo(page, 'Settings')
        await page.getByRole('link', { name: 'Models', exact: true }).click()
        await page.getByRole('button', { name: 'Test', exact: true }).click()
        await expect(page.getByText('no models listed')).toBeVisible()
        await newConversation(page)
        await button.click()
        const failed = models(page).getByRole('option', { name: /^OpenAI.*Try again$/ })
        await expect(failed).toBeVisible()
        await expectNoFaults(page)
        lists = true
        await page.keyboard.press('ArrowUp')
        await page.keyboard.press('Enter')
        await expect(failed).toHaveCount(0)
        await expect(search(page)).toBeFocused()
        await page.keyboard.press('Escape')
      } finally {
        await api.close()
      }
    })
    await test.step('effort is chosen where a model takes it, stays with the conversation and is sent; its thinking goes back with tool results', async () => {
      const api = await startModelApi(({ body }, n) => {
        const name = /[\w-]*add\b/.exec(JSON.stringify(body.tools ?? []))?.[0] ?? 'add'
        return n === 0
          ? { thinking: 'Let me add.', calls: [{ name, arguments: '{"a": 40, "b": 2}' }] }
          : { thinking: 'So it is.', text: 'Forty-two.' }
      })
      try {
        await connectModel(page, api.url)
        await newConversation(page)
        await expect(page.getByRole('button', { name: /^Effort: / })).toHaveCount(0)
        await chooseModel(page, 'claude sonnet 5 5')
        await page.getByRole('button', { name: 'Effort: Default' }).click()
        await expect(page.getByRole('menuitemradio', { name: 'Default' })).toBeChecked()
        await page.getByRole('menuitemradio', { name: 'High' }).click()
        // A choice made while a conversation is being created waits for it.
        await goTo(page, 'Settings')
        await goTo(page, 'Conversations')
        await expect(page.getByRole('button', { name: 'Effort: High' })).toBeVisible()
        await send(page, 'what is 40 plus 2?')
        await answer(page, 'Allow once')
        await expect(page.getByText('Forty-two.')).toBeVisible()
        const wish = { output_config: { effort: 'high' }, thinking: { type: 'adaptive' } }
        expect(api.requests.map(({ body }) => body)).toMatchObject([wish, wish])
        expect(api.requests[1]?.body.messages).toContainEqual({
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Let me add.', signature: 'signed' },
            expect.objectContaining({ type: 'tool_use' }),
          ],
        })
        await page.reload()
        await page.getByRole('button', { name: 'Effort: High' }).click()
        await page.getByRole('menuitemradio', { name: 'Default' }).click()
        await send(page, 'and now?')
        await expect(page.getByText('Forty-two.')).toHaveCount(2)
        expect(api.requests[2]?.body).not.toHaveProperty('output_config')
        await page.getByRole('button', { name: 'Effort: Default' }).click()
        await page.getByRole('menuitemradio', { name: 'High' }).click()
        await page.getByRole('button', { name: 'Retry', exact: true }).click()
        await expect.poll(() => api.requests[3]?.body).toMatchObject(wish)
        await expect(page.getByRole('button', { name: 'Effort: High' })).toBeVisible()
      } finally {
        await api.close()
      }
    })
  })
})

test.describe('the tools of a conversation', () => {
  const tools = (page: Page) => page.getByRole('button', { name: /^Tools \(\d+\)$/ })
  const panel = (page: Page, of: 'this conversation' | 'new conversations') =>
    page.getByRole('dialog', { name: `Tools of ${of}`, exact: true })

  test('are switched before the first message, by server and by tool: one that is off is not offered, cannot be called, and stays off', async ({
    page,
  }) => {
    const api = await startModelApi((_request, n) =>
      n === 0 ? { calls: [{ name: 'add', arguments: '{"a": 40, "b": 2}' }] } : { text: 'No such tool.' },
    )
    const offered = (n: number) => JSON.stringify(api.requests[n]?.body.tools ?? [])
    try {
      await connectModel(page, `${api.url}/v1`, 'OpenAI-compatible', 'llama3.2')
      await newConversation(page)
      await chooseModel(page, 'llama3.2')
      await expect(tools(page)).toHaveText(/\([1-9]/)
      const all = (await tools(page).textContent()) ?? ''
      await tools(page).click()
      const fresh = panel(page, 'new conversations')
      await typeInto(fresh.getByRole('searchbox', { name: 'Search tools' }), 'add')
      await fresh.getByRole('switch', { name: 'add', exact: true }).uncheck()
      await expect(tools(page)).not.toHaveText(all)
      await expectNoFaults(page)
      await page.keyboard.press('Escape')
      await expect(fresh).toBeHidden()

      await send(page, 'what is 40 plus 2?')
      await expectStatus(card(page, 'add'), 'Failed')
      await expect(page.getByText('No such tool.')).toBeVisible()
      expect(offered(0)).not.toContain('"add"')
      expect(offered(0)).toContain('"function"')

      await tools(page).click()
      const here = panel(page, 'this conversation')
      await here.getByRole('button', { name: 'Turn all off' }).click()
      await expect(tools(page)).toHaveText('Tools (0)')
      await here.getByRole('button', { name: 'Turn all on' }).click()
      await here.getByRole('switch', { name: 'Playground' }).uncheck()
      await expect(tools(page)).toHaveText('Tools (0)')
      await page.reload()
      await expect(tools(page)).toHaveText('Tools (0)')
      await send(page, 'and now?')
      await expect(page.getByText('No such tool.')).toHaveCount(2)
      expect(offered(2)).toBe('[]')

      await newConversation(page)
      await expect(tools(page)).not.toHaveText('Tools (0)')
      await expect(tools(page)).not.toHaveText(all)
    } finally {
      await api.close()
    }
  })
})

test.describe('the keys of the composer', () => {
  const ctrlEnter = (page: Page) => page.getByRole('switch', { name: 'Send with Ctrl+Enter' })

  test('focus the message, edit the last one, and send as configured; the list and the note about a lost host keep their shape', async ({
    page,
    shell,
  }) => {
    await test.step('New conversation puts the focus into the message, again and again, and Up edits the last message', async () => {
      await newConversation(page)
      await expect(message(page)).toBeFocused()
      await page.getByRole('button', { name: 'New conversation' }).first().click()
      await typeInto(message(page), 'hello there')
      await page.keyboard.press('Shift+Enter')
      await typeInto(message(page), 'and here')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('article', { name: 'You' })).toContainText('and here')
      await expect(page.getByRole('article')).toHaveCount(2)
      await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)
      await message(page).fill('x')
      await message(page).press('ArrowUp')
      await expect(message(page)).toBeFocused()
      await message(page).fill('')
      await message(page).press('ArrowUp')
      const edited = page.getByRole('form', { name: 'Edit message' }).getByRole('textbox')
      await expect(edited).toHaveValue('hello there\nand here')
      await edited.fill('hello again')
      await goTo(page, 'Servers')
      await page.goBack()
      await expect(edited).toHaveValue('hello again')
      await edited.press('Escape')
      await expect(edited).toHaveCount(0)
      await expect(message(page)).toBeFocused()
    })
    await test.step('a long title in the list begins within 160 px and cannot be scrolled within its row', async () => {
      await newConversation(page)
      await send(page, 'The long first words of this conversation are wider than the list that shows them as its title')
      const title = page.getByRole('link', { name: /^The long first words/ })
      expect(await title.evaluate((link) => link.getBoundingClientRect().top)).toBeLessThanOrEqual(160)
      expect(await title.evaluate((link) => link.scrollWidth > link.clientWidth)).toBe(true)
      expect(await title.evaluate((link) => Object.assign(link, { scrollLeft: 8 }).scrollLeft)).toBe(0)
    })
    await test.step('Ctrl+Enter sends where that is set; Enter then starts a line', async () => {
      await goToSettings(page, 'Turns')
      await ctrlEnter(page).check()
      await newConversation(page)
      await message(page).fill('one')
      await message(page).press('Enter')
      await typeInto(message(page), 'two')
      await expect(message(page)).toHaveValue('one\ntwo')
      await expect(page.getByRole('article')).toHaveCount(0)
      await message(page).press('Control+Enter')
      await expect(page.getByRole('article', { name: 'You' })).toContainText('two')
      await expect(message(page)).toHaveValue('')
    })
    await test.step('the note about a lost host is one line below the buttons', async () => {
      await newConversation(page)
      await shell.kill9()
      const note = page.getByText('Parley is not connected. Your text is kept.')
      await expect(note).toBeVisible()
      const [box, foot] = [await note.boundingBox(), await page.getByRole('button', { name: 'Send', exact: true }).boundingBox()]
      expect(box?.height).toBeLessThan(30)
      expect(box?.y).toBeGreaterThanOrEqual((foot?.y ?? Infinity) + (foot?.height ?? 0))
    })
  })

  test('change the order of messages written during a reply, held after a stop and a kill, and keep drafts, through a restart', async ({
    shell,
    page,
  }) => {
    await test.step('messages written during a reply change their order, are held after a stop and a kill, and sent at a click', async () => {
      const waiting = (there: Page) => there.getByRole('region', { name: 'Waiting messages' })
      const said = (there: Page) => there.getByRole('article', { name: 'You' })
      await newConversation(page)
      await send(page, 'count to 9000')
      await expect(page.getByText('1 2 3')).toBeVisible()
      await typeInto(message(page), 'echo second')
      await page.keyboard.press('Enter')
      await expect(waiting(page).getByRole('status')).toHaveText('Waiting: 1')
      await expect(message(page)).toHaveValue('')
      await typeInto(message(page), 'count to 9001')
      await expect(page.getByRole('button', { name: 'Send next' })).toBeEnabled()
      await expectNoFaults(page)
      await page.keyboard.press('Enter')
      await expect(waiting(page).getByRole('listitem')).toHaveText([/echo second/, /count to 9001/])
      await page.keyboard.press('ArrowUp')
      await expect(message(page)).toHaveValue('count to 9001')
      await expect(waiting(page).getByRole('status')).toHaveText('Waiting: 1')
      await expect(said(page)).toHaveCount(1)
      await page.keyboard.press('Alt+Enter')
      await expect(said(page)).toHaveCount(2)
      await expect(said(page).last()).toContainText('count to 9001')
      await expect(waiting(page).getByRole('listitem')).toHaveText([/echo second/])

      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await expect(waiting(page).getByRole('status')).toHaveText('Waiting: 1. The reply was stopped.')
      await waiting(page).getByRole('button', { name: 'Remove' }).click()
      await expect(waiting(page)).toHaveCount(0)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(waiting(page).getByRole('listitem')).toHaveText([/echo second/])
      await expectNoFaults(page)
      await page.getByRole('button', { name: 'Continue', exact: true }).last().click()
      await expect(waiting(page).getByRole('status')).toHaveText('Waiting: 1')
      await shell.kill9()
      const again = await shell.restart()
      await again
        .getByRole('link', { name: /^count to 9000/ })
        .first()
        .click()
      await expect(waiting(again).getByRole('status')).toHaveText('Waiting: 1. The reply was interrupted.')
      await expect(said(again)).toHaveCount(2)
      await waiting(again).getByRole('button', { name: 'Send', exact: true }).click()
      await expect(said(again).last()).toContainText('echo second')
      await expect(waiting(again)).toHaveCount(0)
    })
    await test.step('drafts stay with their conversation, through a reload and a restart of Parley', async () => {
      const { page } = shell
      await newConversation(page)
      await send(page, 'what can you do?')
      await expect(page.getByRole('article')).toHaveCount(2)
      await message(page).fill('half a sentence')
      await newConversation(page)
      await expect(message(page)).toHaveValue('')
      await message(page).fill('not yet sent')
      await goToSettings(page, 'Turns')
      await ctrlEnter(page).check()
      await page.reload()
      // The host has kept this, and with it everything that it was told before.
      await expect(ctrlEnter(page)).toBeChecked()
      const check = async (there: Page) => {
        await newConversation(there)
        await expect(message(there)).toHaveValue('not yet sent')
        await there
          .getByRole('link', { name: /^what can you do/ })
          .first()
          .click()
        await expect(message(there)).toHaveValue('half a sentence')
      }
      await check(page)
      const again = await shell.restart()
      await again.evaluate(() => sessionStorage.removeItem('parley-drafts'))
      await again.reload()
      await check(again)
      await message(again).press('Control+Enter')
      await expect(again.getByRole('article', { name: 'You' })).toHaveCount(2)
      await goToSettings(again, 'Turns')
      await ctrlEnter(again).uncheck()
      await again.reload()
      await expect(ctrlEnter(again)).not.toBeChecked()
      const last = await shell.restart()
      await newConversation(last)
      await expect(message(last)).toHaveValue('not yet sent')
      await last
        .getByRole('link', { name: /^what can you do/ })
        .first()
        .click()
      await expect(last.getByRole('article')).toHaveCount(4)
      await expect(message(last)).toHaveValue('')
    })
  })
})
