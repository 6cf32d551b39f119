import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoFaults } from '../shells/axe.ts'
import type { DoubleShell } from '../shells/double-shell.ts'
import { press } from '../shells/press.ts'
import { wantsRealElectron } from '../shells/real-electron-shell.ts'
import type { RunningShell } from '../shells/running-shell.ts'
import { expect, test } from '../shells/shell-test.ts'
import { startModelApi } from '../support/model-api.ts'
import { writeManyConversations } from '../support/storage/many-conversations.ts'
import { typeInto } from './keyboard-steps.ts'
import { addAsker, connectModel, expectAnswer, folders, letAsk } from './question-steps.ts'
import { answer, card, consent, expectStatus, goTo, goToSettings, newConversation, send } from './steps.ts'

test.skip(wantsRealElectron, 'folder dialogs of the system are answered by the double')

const list = (page: Page) => page.getByRole('region', { name: 'Conversation list' })
const row = (page: Page, title: string) => list(page).getByRole('link', { name: title, exact: true })

async function newProject(page: Page, name: string): Promise<void> {
  await goTo(page, 'Conversations')
  await list(page).getByRole('button', { name: 'New project' }).click()
  const dialog = page.getByRole('dialog', { name: 'New project' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

async function openProject(page: Page, name: string): Promise<void> {
  await goTo(page, 'Conversations')
  await row(page, name).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

async function startInProject(page: Page, name: string, text: string): Promise<void> {
  await openProject(page, name)
  await page.getByRole('button', { name: 'New conversation in this project' }).click()
  await expect(page.getByRole('main').getByRole('link', { name })).toBeVisible()
  await send(page, text)
}

/** Sends each in a conversation of its own, answered by the Demo model. */
async function converse(page: Page, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await newConversation(page)
    await send(page, text)
    await expect(page.getByRole('article')).toHaveCount(2)
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
  }
}

/** Chooses a folder, in the page or in the system's dialog. */
async function pick(shell: RunningShell, path: string): Promise<void> {
  const { page, kind } = shell
  mkdirSync(path, { recursive: true })
  if (kind === 'electron') await (shell as DoubleShell).order({ do: 'answer-folder-dialog', path })
  const add = page.getByRole('button', { name: 'Add a folder …' })
  await add.click()
  if (kind === 'electron') return
  const picker = page.getByRole('dialog', { name: 'Choose a folder' })
  await expect(picker.getByRole('textbox', { name: 'Folder' })).toBeFocused()
  await picker.getByRole('textbox', { name: 'Folder' }).fill(path)
  await picker.getByRole('button', { name: 'Go' }).click()
  await press(picker.getByRole('button', { name: 'Choose' }))
  await expect(page.getByRole('main')).toContainText(path)
  await expect(add).toBeFocused()
}

test.describe('a project', () => {
  test('gives the model its instructions and those for all, and a model writes the title', async ({ shell, page }) => {
    const api = await startModelApi(({ body }) =>
      JSON.stringify(body).includes('You name conversations')
        ? { text: '“Roses in\u202e winter.”' }
        : { text: 'Prune them in March.' },
    )
    try {
      await connectModel(page, api.url)
      await goToSettings(page, 'Instructions')
      await page.getByRole('textbox', { name: 'Instructions for all conversations' }).fill('Be brief.')
      await page.getByRole('region', { name: 'Instructions' }).getByRole('button', { name: 'Save' }).click()
      await goToSettings(page, 'Models')
      await page.getByRole('combobox', { name: 'Titles' }).selectOption({ label: 'claude sonnet 5 5' })
      await newProject(page, 'Garden')
      await page.getByRole('textbox', { name: 'Instructions of this project' }).fill('Speak of roses.')
      await goTo(page, 'Inbox')
      await openProject(page, 'Garden')
      await expect(page.getByText('Not saved')).toBeVisible()
      const save = page.getByRole('region', { name: 'Instructions' }).getByRole('button', { name: 'Save' })
      await save.press('Enter')
      await expect(page.getByText('Not saved')).toBeHidden()
      await expect(save).toBeFocused()
      await page.getByRole('combobox', { name: 'Model of this project' }).selectOption({ label: 'claude sonnet 5 5' })
      await page.getByLabel('Files to add').setInputFiles([
        { name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from('The roses stand by the wall.') },
        { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.from('') },
      ])
      const files = (there: Page) => there.getByRole('list', { name: 'Files of this project' })
      await expect(files(page)).toContainText('plan.md')
      await expect(page.getByRole('list', { name: 'Files being attached' })).toContainText('“nothing.txt” is empty.')
      await expectNoFaults(page)
      await files(page).getByRole('button', { name: 'Remove plan.md' }).click()
      await expect(files(page)).toHaveCount(0)
      await page.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).click()
      await expect(files(page)).toContainText('plan.md')
      await startInProject(page, 'Garden', 'When do I prune?')
      await expect(page.getByText('Prune them in March.')).toBeVisible()
      await expect(row(page, 'Roses in winter')).toBeVisible()
      const [first, title] = api.requests.map(({ body }) => body)
      expect(JSON.stringify(first?.system)).toMatch(/Be brief\..*project “Garden”:\\nSpeak of roses\./)
      expect(JSON.stringify(first?.messages)).toMatch(/Files of the project “Garden”.*stand by the wall\..*When do I prune/)
      expect(JSON.stringify(title)).toContain('Prune them in March.')
      expect(title).not.toHaveProperty('tools')

      const again = await shell.restart()
      await openProject(again, 'Garden')
      await expect(again.getByRole('textbox', { name: 'Instructions of this project' })).toHaveValue('Speak of roses.')
      await expect(again.getByRole('list', { name: 'Conversations of this project' })).toContainText('Roses in winter')
      await expect(files(again)).toContainText('plan.md')
    } finally {
      await api.close()
    }
  })

  test('has its own set of tools, treats its folders, sites and people as inside, and shares folders with the ticked servers', async ({
    page,
    shell,
  }) => {
    await test.step('has its own set of tools, changed on its page or in a new conversation', async () => {
      await test.step('where a conversation in it begins', async () => {
        const tools = page.getByRole('button', { name: /^Tools \(\d+\)$/ })
        await newConversation(page)
        await expect(tools).toHaveText(/\([1-9]/)
        const all = (await tools.textContent()) ?? ''
        await newProject(page, 'Garden')
        await page.getByRole('button', { name: 'New conversation in this project' }).click()
        await expect(tools).toHaveText(all)
        await tools.click()
        const panel = page.getByRole('dialog', { name: 'Tools of this project' })
        await expect(panel).toContainText('For all conversations of this project.')
        await typeInto(panel.getByRole('searchbox', { name: 'Search tools' }), 'add')
        await panel.getByRole('switch', { name: 'add', exact: true }).uncheck()
        await expect(tools).not.toHaveText(all)
        await page.keyboard.press('Escape')
        await send(page, 'use add with a=2 b=3')
        await expect(page.getByRole('article').last()).toContainText('add')
        await expect(card(page, 'add')).toHaveCount(0)
        await expect(tools).not.toHaveText(all)
        await openProject(page, 'Garden')
        await expect(page.getByText(/, 1 turned off/)).toBeVisible()
        await newConversation(page)
        await expect(tools).toHaveText(all)
      })
      await test.step('on its page', async () => {
        await newProject(page, 'Meadow')
        await page.locator('summary', { hasText: 'of Playground' }).click()
        await page.getByRole('checkbox', { name: 'add', exact: true }).uncheck()
        await startInProject(page, 'Meadow', 'use playground/add with a=1 b=2')
        await expect(page.getByRole('article')).toHaveCount(2)
        await expect(page.getByRole('article').last()).toContainText('No tool called playground/add is offered to me')
        await expect(card(page, 'add')).toHaveCount(0)
        await newConversation(page)
        await send(page, 'use playground/add with a=1 b=2')
        await answer(page, 'Allow once')
        await expectStatus(card(page, 'add'), 'Finished')
      })
    })
    await test.step('treats its folders, sites and people as inside, and shares folders with the ticked servers', async () => {
      const notes = join(shell.folder, '..', `${shell.folder.split('/').at(-1)}-notes`)
      await addAsker(shell)
      await newProject(page, 'Park')
      await pick(shell, notes)
      await expect(page.getByRole('list', { name: 'Folders', exact: true })).toContainText(notes)
      await page.getByRole('textbox', { name: 'Site' }).fill('https://roses.example/a')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('list', { name: 'Sites' })).toContainText('roses.example')
      const named = page.getByRole('textbox', { name: 'Person or place' })
      const people = page.getByRole('list', { name: 'People, channels, calendars, mailboxes' })
      await named.fill('Ann@example.org')
      await page.getByRole('button', { name: 'Add person or place' }).press('Enter')
      await expect(people).toContainText('ann@example.org')
      await named.fill('#Sales')
      await named.press('Enter')
      await expect(people).toContainText('#sales')
      await page.getByRole('button', { name: 'Remove #sales' }).press('Enter')
      await expect(people).not.toContainText('#sales')
      await expectNoFaults(page)

      await startInProject(page, 'Park', 'use asks/read with path=/etc/passwd')
      await expect(consent(page)).toContainText('is outside what you named')
      await answer(page, 'Deny')
      await send(page, `use asks/read with path="${notes}/todo.md"`)
      await expect(consent(page)).toContainText('todo.md')
      await expect(consent(page)).not.toContainText('is outside what you named')
      await answer(page, 'Deny')

      await openProject(page, 'Park')
      await page.getByRole('checkbox', { name: 'asks' }).first().check()
      await letAsk(page, 'roots')
      await expectAnswer(page, { result: { roots: [{ uri: `file://${notes}`, name: notes.split('/').at(-1) }] } })
      await goTo(page, 'Servers')
      await page.getByRole('main').getByRole('link', { name: 'asks', exact: true }).click()
      await page.getByRole('tab', { name: 'Roots' }).click()
      await expect(page.getByRole('list', { name: 'Shared by projects' })).toContainText(notes)
      await openProject(page, 'Park')
      await page.getByRole('checkbox', { name: 'asks' }).first().uncheck()
      await letAsk(page, 'roots')
      await folders(page).getByRole('button', { name: 'Don’t share' }).click()
      await expectAnswer(page, { result: { roots: [] } })
    })
  })

  test('unfolds in the list, takes a conversation in, and is removed without it', { tag: '@long' }, async ({ page }) => {
    await converse(page, 'hello roses')
    await newProject(page, 'Garden')
    await expect(page.getByText('None yet.')).toBeVisible()
    await row(page, 'hello roses').hover()
    await list(page).getByRole('button', { name: 'More about hello roses' }).click()
    await page.getByRole('menuitem', { name: 'Move to project …' }).click()
    const move = page.getByRole('dialog', { name: 'Move to project' })
    await move.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'Garden' })
    await move.getByRole('button', { name: 'Move' }).click()
    await expect(row(page, 'hello roses')).toHaveCount(0)
    await expect(page.getByRole('list', { name: 'Conversations of this project' })).toContainText('hello roses')
    const fold = list(page).getByRole('button', { name: 'Conversations of Garden' })
    await fold.press('Enter')
    await expect(fold).toHaveAttribute('aria-expanded', 'true')
    await row(page, 'hello roses').click()
    await expect(page.getByRole('main').getByRole('link', { name: 'Garden' })).toBeVisible()
    await expectNoFaults(page)
    await openProject(page, 'Garden')
    await page.getByRole('button', { name: 'More about this project' }).click()
    await page.getByRole('menuitem', { name: 'Remove …' }).click()
    await expect(page.getByRole('dialog')).toContainText('Its conversations are kept')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible()
    await expect(row(page, 'hello roses')).toBeVisible()
  })
})

test.describe('ten thousand conversations', () => {
  test.use({ shellOptions: { prepare: writeManyConversations } })

  test('build only the rows in sight, load older ones while scrolling, and can each be continued', async ({ page }) => {
    await test.step('have only the rows in sight built, and older ones come as one goes on', async () => {
      await goTo(page, 'Conversations')
      await expect(row(page, 'Talk 10000')).toBeVisible()
      const rows = list(page).getByRole('listitem')
      const frame = list(page).getByRole('list', { name: 'All conversations' }).locator('..')
      await expect(async () => {
        await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight))
        expect(await rows.count()).toBeLessThan(60)
        expect(Number(await rows.last().getAttribute('aria-setsize'))).toBeGreaterThan(500)
      }).toPass({ intervals: [50] })
    })
    await test.step('go on where they are, however old they are', async () => {
      await page.evaluate(() => {
        location.hash = '#/conversations/c77'
      })
      const title = page.getByRole('main').getByRole('heading', { level: 1, name: 'Talk 77' })
      const said = (text: string) => page.getByRole('article', { name: 'You' }).filter({ hasText: text })
      await expect(title).toBeVisible()
      await page.reload()
      await expect(title).toBeVisible()
      await send(page, 'and where were we?')
      await expect(said('and where were we?')).toBeVisible()
      await expect(title).toBeVisible()
      await expect(row(page, 'Talk 77')).toBeVisible()
    })
  })
})

test.describe('the list of conversations', () => {
  test('marks the search words', { tag: '@long' }, async ({ page }) => {
    await converse(page, 'red roses', 'tulips')
    await list(page).getByRole('searchbox', { name: 'Search conversations' }).fill('ros')
    const hits = list(page).getByRole('list', { name: 'Search results' })
    await expect(hits.locator('mark').first()).toHaveText('roses')
    await expect(hits.getByText('tulips')).toHaveCount(0)
    await expectNoFaults(page)
  })

  test('separates archived ones, until they get a new message', { tag: '@long' }, async ({ shell, page }) => {
    await converse(page, 'red roses', 'tulips')
    await row(page, 'red roses').hover()
    await list(page).getByRole('button', { name: 'More about red roses' }).click()
    await page.getByRole('menuitem', { name: 'Archive', exact: true }).click()
    await expect(row(page, 'red roses')).toHaveCount(0)
    const again = await shell.restart()
    await expect(row(again, 'tulips')).toBeVisible()
    await expect(row(again, 'red roses')).toHaveCount(0)
    await list(again).getByRole('combobox', { name: 'Show' }).selectOption({ label: 'Archived (1)' })
    await row(again, 'red roses').click()
    await expect(again.getByRole('main').getByText('Archived', { exact: true })).toBeVisible()
    await send(again, 'and white ones?')
    await list(again).getByRole('combobox', { name: 'Show' }).selectOption({ label: 'All conversations' })
    await expect(row(again, 'red roses')).toBeVisible()
  })

  test('has several selected by keys and clicks, tagged, deleted with one undo, and exported as one file', {
    tag: '@long',
  }, async ({ shell, page }) => {
    await converse(page, 'one', 'two', 'three', 'four')
    await expect(list(page).getByRole('heading', { name: 'Today' })).toBeVisible()
    await row(page, 'four').click({ modifiers: ['ControlOrMeta'] })
    await row(page, 'two').click({ modifiers: ['Shift'] })
    await expect(list(page).getByRole('status')).toHaveText('3 selected')
    await page.keyboard.press('Escape')
    await expect(list(page).getByRole('checkbox')).toHaveCount(0)
    await expect(list(page).getByRole('button', { name: 'New conversation' })).toBeFocused()

    await row(page, 'one').focus()
    await page.keyboard.press('Control+Enter')
    await list(page).getByRole('checkbox', { name: 'Select three' }).focus()
    await page.keyboard.press('Shift+Space')
    await expect(list(page).getByRole('status')).toHaveText('3 selected')
    await expectNoFaults(page)
    await list(page).getByRole('button', { name: 'More for the selected conversations' }).click()
    await page.getByRole('menuitem', { name: 'Add tags …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add tags to 3 conversations' })
    await dialog.getByRole('textbox', { name: 'Tags' }).fill('garden')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(list(page).getByRole('combobox', { name: 'Show' })).toContainText('garden (3)')
    await list(page).getByRole('combobox', { name: 'Show' }).selectOption({ label: 'garden (3)' })
    await expect(row(page, 'four')).toHaveCount(0)
    await expectNoFaults(page)

    await list(page).getByRole('button', { name: 'Delete' }).click()
    // Nothing has the tag any more: all is shown again.
    await expect(row(page, 'four')).toBeVisible()
    for (const gone of ['one', 'two', 'three']) await expect(row(page, gone)).toHaveCount(0)
    await page.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).click()
    for (const back of ['one', 'two', 'three', 'four']) await expect(row(page, back)).toBeVisible()

    // One file for all of them, which brings them back.
    for (const name of ['one', 'two']) await row(page, name).click({ modifiers: ['ControlOrMeta'] })
    await list(page).getByRole('button', { name: 'More for the selected conversations' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export for Parley' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('2 conversations.parley')
    // Chromium gives up downloads that are answered for it, as the double does for the desktop's own scheme.
    if (shell.kind === 'electron') return
    const file = join(shell.folder, '..', `${shell.folder.split('/').at(-1)}-two.parley`)
    await download.saveAs(file)
    await page.getByLabel('Exported conversation').setInputFiles(file)
    for (const name of ['one', 'two']) await expect(row(page, name)).toHaveCount(2)
    await expect(row(page, 'three')).toHaveCount(1)
  })
})

test('the caret list offers files of the named folders, and adds the first folder', async ({ shell, page }) => {
  const notes = join(shell.folder, '..', `${shell.folder.split('/').at(-1)}-beds`)
  mkdirSync(join(notes, 'beds'), { recursive: true })
  for (const name of ['beds/roses.md', 'todo.md', '.env']) writeFileSync(join(notes, name), 'Prune in March.')
  const message = page.getByRole('textbox', { name: 'Message' })
  const offered = page.getByRole('listbox', { name: 'Files, resources, notes and conversations' }).getByRole('option')
  await newConversation(page)
  await message.pressSequentially('look at @')
  await expect(offered.filter({ hasText: 'Add a folder …' })).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(offered.filter({ hasText: 'Add a folder …' })).toHaveAttribute('aria-selected', 'true')
  await expectNoFaults(page)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Folders, sites and people' })
  await pick(shell, notes)
  await expect(dialog.getByRole('list', { name: 'Folders', exact: true })).toContainText(notes)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await typeInto(message, '@')
  await expect(message).toHaveValue('look at @')
  // No server has resources, so there are none to browse.
  await expect(offered).toHaveText([/^todo\.md/, /^roses\.md.*beds$/])
  await expect(page.getByRole('status').filter({ hasText: '2 files, 0 resources' })).toHaveCount(1)
  await typeInto(message, 'bedro')
  await expect(offered).toHaveCount(1)
  await expect(message).toHaveAttribute('aria-activedescendant', (await offered.first().getAttribute('id')) ?? 'none')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Attached to your message' })).toContainText('roses.md')
  await expect(message).toHaveValue('look at roses.md ')
  await expect(message).toBeFocused()
})
