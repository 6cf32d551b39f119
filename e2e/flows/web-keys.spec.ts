import type { ElementHandle, Locator } from '@playwright/test'
import { expect, test } from '../shells/shell-test.ts'
import { typeInto } from './keyboard-steps.ts'
import { answer, card, consent, expectStatus, goTo, goToSettings, newConversation, send } from './steps.ts'

test('keys with Ctrl allow once and deny, an input method keeps its keys, shortcuts can be changed, and the palette moves the focus', async ({
  page,
}) => {
  await test.step('keys with Ctrl allow once and deny, not from a field, and never what cannot be allowed', async () => {
    await newConversation(page)
    await send(page, 'use add with a=2 b=3')
    await expect(consent(page).getByRole('button', { name: 'Allow once' })).toBeEnabled()
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('two words')
    await message.press('Control+Backspace')
    await expect(message).toHaveValue('two ')
    await message.fill('')
    await consent(page).getByRole('button', { name: 'Deny' }).focus()
    await page.keyboard.press('Control+Enter')
    await expectStatus(card(page, 'add'), 'Finished')

    await send(page, 'use add with a=2 b=3; add with a=4 b=5')
    const allow = consent(page).getByRole('button', { name: 'Allow once' })
    await expect(allow).toBeEnabled()
    for (const tick of await consent(page).getByRole('checkbox').all()) await tick.uncheck()
    await expect(allow).toBeDisabled()
    await consent(page).getByRole('button', { name: 'Deny' }).focus()
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('a')
    await expect(consent(page)).toBeVisible()
    await page.keyboard.press('Control+Backspace')
    await expect(consent(page)).toHaveCount(0)
    await expectStatus(card(page, 'add'), 'Declined')
  })
  await test.step('Enter picks a candidate of an input method, and runs, sends and closes nothing meanwhile', async () => {
    await newConversation(page)
    const composing = (field: Locator, key: string) =>
      field.evaluate((element, key) => {
        const event = new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true })
        element.dispatchEvent(event)
      }, key)
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('にほん')
    await composing(message, 'Enter')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    const command = palette.getByRole('combobox')
    await command.fill('settings')
    await composing(command, 'Enter')
    await composing(command, 'Escape')
    await expect(palette).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(0)
    await command.press('Enter')
    await expect(palette).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  })
  await test.step('what is typed before the palette is there is in its field, and no key does anything else', async () => {
    const arrive = Promise.withResolvers<void>()
    await page.route(/Palette-.*\.js$/, async (route) => {
      await arrive.promise
      await route.continue()
    })
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    await page.keyboard.press('Control+k')
    for (const key of 'User guidx') await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Backspace')
    arrive.resolve()
    const command = page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox')
    await expect(command).toHaveValue('User guid')
    await command.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'User guide' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await typeInto(command, 'add a server')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Add server' }).getByRole('textbox', { name: 'Name' })).toBeFocused()
    await page.keyboard.press('Escape')
  })
  await test.step('what is sent stands in sight of a question before everything that is said about it, also at 200 %', async () => {
    await newConversation(page)
    await send(page, 'use add with a=2 b=3')
    await expect(consent(page)).toBeVisible()
    const size = page.viewportSize() ?? { width: 1280, height: 720 }
    // 1280 by 820 at 200 %.
    await page.setViewportSize({ width: 640, height: 410 })
    await expect(consent(page).getByRole('row', { name: 'a 2' })).toBeInViewport({ ratio: 1 })
    await expect(consent(page).getByRole('button', { name: 'Deny' })).toBeInViewport({ ratio: 1 })
    await consent(page).getByText('Details', { exact: true }).click()
    const arguments_ = await consent(page).getByRole('table').boundingBox()
    const hints = await consent(page).getByText('Server’s hints (not verified)').boundingBox()
    expect(arguments_?.y).toBeLessThan(hints?.y ?? 0)
    await page.setViewportSize(size)
    await answer(page, 'Deny')
  })
  await test.step('what a button opens is open, however soon after it was closed', async () => {
    await newConversation(page)
    await send(page, 'hello')
    await expect(page.getByRole('article')).toHaveCount(2)
    const dialog = (name: string) => page.getByRole('dialog', { name })
    for (const [name, opened, first] of [
      ['Attach', page.getByRole('menu', { name: 'Attach' }), page.getByRole('menuitem', { name: 'Files …' })],
      [/^Model: /, dialog('Choose a model'), page.getByRole('combobox', { name: 'Search models' })],
      [/^Tools \(/, dialog('Tools of this conversation'), page.getByRole('searchbox', { name: 'Search tools' })],
      ['Context', page.getByRole('region', { name: 'What the model is given' }), undefined],
    ] as const) {
      await test.step(String(name), async () => {
        const button = page.getByRole('button', { name, exact: true })
        await button.click()
        await expect(opened).toBeVisible()
        await opened.evaluate(
          async (element, pressed) => {
            ;(element as HTMLElement).hidePopover()
            await Promise.resolve()
            pressed?.click()
          },
          (await button.elementHandle()) as ElementHandle<HTMLElement> | null,
        )
        if (first) await expect(first).toBeFocused()
        await expect(opened).toContainText(/\w/)
        await button.click()
        await expect(opened).toBeHidden()
      })
    }
  })
  await test.step('the sheet of keys opens with F1 anywhere, and with ? outside of fields', async () => {
    await newConversation(page)
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.pressSequentially('why?')
    await expect(message).toHaveValue('why?')
    await expect(sheet).toHaveCount(0)
    await message.press('F1')
    await expect(sheet.getByRole('row', { name: 'Allow once' })).toContainText('Ctrl+Enter')
    await page.keyboard.press('Escape')
    await expect(message).toBeFocused()
    await goTo(page, 'Servers')
    await page.keyboard.press('?')
    await expect(sheet).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
  })
  await test.step('a shortcut gets other keys by keyboard alone, never those of another, and its own again', async () => {
    await goToSettings(page, 'Shortcuts')
    const list = page.getByRole('list', { name: 'Shortcuts' })
    const inbox = list.getByRole('listitem').filter({ hasText: 'Inbox' })
    await inbox.getByRole('button', { name: 'Edit the keys of Inbox' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+k')
    await expect(inbox.getByRole('status')).toHaveText('These keys are for Command palette. Change that first.')
    await page.keyboard.press('Control+b')
    await expect(inbox).toContainText('Ctrl+B')
    await page.reload()
    await expect(inbox).toContainText('Ctrl+B')
    await page.keyboard.press('Control+Shift+I')
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    await page.keyboard.press('Control+b')
    await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible()
    await page.keyboard.press('F1')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(sheet.getByRole('row', { name: 'Inbox' })).toContainText('Ctrl+B')
    await sheet.getByRole('button', { name: 'Change shortcuts' }).press('Enter')
    await inbox.getByRole('button', { name: 'Reset the keys of Inbox' }).press('Enter')
    await expect(inbox).toContainText('Ctrl+Shift+I')
  })
  await test.step('the size of the text is chosen in the settings and stays', async () => {
    await goToSettings(page, 'Appearance')
    const size = (name: string) => page.getByRole('radiogroup', { name: 'Text size' }).getByRole('radio', { name })
    const heading = page.getByRole('heading', { level: 1, name: 'Settings' })
    const height = () => heading.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
    const normal = await height()
    await size('Large').check()
    await expect.poll(height).toBeGreaterThan(normal)
    await page.reload()
    await expect.poll(height).toBeGreaterThan(normal)
    await size('Small').check()
    await expect.poll(height).toBeLessThan(normal)
  })
  await test.step('a screen that was opened by the palette has the focus on its heading', async () => {
    const message = page.getByRole('textbox', { name: 'Message' })
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
    const goBy = async (words: string) => {
      await page.keyboard.press('Control+k')
      await typeInto(palette.getByRole('combobox'), words)
      await expect(palette.getByRole('option').first()).toContainText(words)
      await page.keyboard.press('Enter')
      await expect(palette).toHaveCount(0)
    }
    await newConversation(page)
    await expect(message).toBeFocused()
    for (const name of [
      'Servers',
      'Playground',
      'Settings',
      'Projects',
      'Inbox',
      'Import servers',
      'User guide',
      'Report a problem',
    ]) {
      await goBy(name)
      await expect(title(name)).toBeFocused()
    }
    await goBy('Schedules')
    await expect(page.getByRole('region', { name: 'Schedules' })).toBeVisible()
    await goBy('Add a server')
    await expect(page.getByRole('dialog', { name: 'Add server' }).getByRole('textbox', { name: 'Name' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(title('Servers')).toBeFocused()
    await goBy('New conversation')
    await expect(message).toBeFocused()
  })
  await test.step('a new project ends a search for conversations and has the focus', async () => {
    const search = page.getByRole('searchbox', { name: 'Search conversations' })
    await search.fill('nowhere')
    await page.keyboard.press('Control+k')
    await typeInto(page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox'), 'New project')
    await page.keyboard.press('Enter')
    await typeInto(page.getByRole('dialog', { name: 'New project' }).getByRole('textbox', { name: 'Name' }), 'Garden')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Garden' })).toBeFocused()
    await expect(search).toHaveValue('')
  })
  await test.step('F6 leads to the last reply and back, arrow keys from message to message, and the palette does, too', async () => {
    await newConversation(page)
    const message = page.getByRole('textbox', { name: 'Message' })
    await send(page, 'hello')
    const articles = page.getByRole('article')
    await expect(articles.last().getByRole('button', { name: 'Retry', exact: true })).toBeVisible()
    await page.keyboard.press('F6')
    await expect(articles.last()).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(articles.first()).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await expect(articles.last().locator(':focus')).toHaveCount(1)
    await page.keyboard.press('F6')
    await expect(message).toBeFocused()
    await page.keyboard.press('Control+k')
    await typeInto(page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox'), 'Last reply')
    await page.keyboard.press('Enter')
    await expect(articles.last()).toBeFocused()
  })
  await test.step('a conversation is renamed from the palette, which gives the focus back to the message', async () => {
    await newConversation(page)
    const message = page.getByRole('textbox', { name: 'Message' })
    await send(page, 'hello')
    await expect(page.getByRole('article')).toHaveCount(2)
    await expect(message).toBeFocused()
    await page.keyboard.press('Control+k')
    await typeInto(page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox'), 'Rename conv')
    await page.keyboard.press('Enter')
    await typeInto(page.getByRole('textbox', { name: 'Title' }), 'Tulips')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Tulips' })).toBeVisible()
    await expect(message).toBeFocused()
    // In the list, too, the focus returns to where the renaming began.
    await page.getByRole('button', { name: 'More about Tulips' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Rename' }).press('Enter')
    await typeInto(page.getByRole('textbox', { name: 'Title' }), 'Roses')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'More about Roses' })).toBeFocused()
  })
  await test.step('the button of the tools keeps its place when their number arrives', async () => {
    let arrive = () => {}
    const number = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.routeWebSocket(/\/channel$/, (socket) => {
      const host = socket.connectToServer()
      socket.onMessage((frame) => {
        void (String(frame).includes('"context.tools"') ? number : Promise.resolve()).then(() => host.send(frame))
      })
    })
    await page.reload()
    await newConversation(page)
    const tools = page.getByRole('button', { name: /^Tools \(/ })
    await expect(tools).toBeDisabled()
    const place = await tools.boundingBox()
    arrive()
    await expect(tools).toHaveText(/\d/)
    expect(await tools.boundingBox()).toEqual(place)
  })
})
