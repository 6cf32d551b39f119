import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { expectNoFaults } from '../shells/axe.ts'
import { press } from '../shells/press.ts'
import type { RunningShell } from '../shells/running-shell.ts'
import { expect, test } from '../shells/shell-test.ts'
import { startModelApi } from '../support/model-api.ts'
import { typeInto } from './keyboard-steps.ts'
import { addAsker, connectModel, form } from './question-steps.ts'
import {
  addTrustedServer,
  answer,
  callByHand,
  card,
  chooseModel,
  everything,
  expectShown,
  expectStatus,
  goTo,
  newConversation,
  official,
  openCall,
  send,
} from './steps.ts'

const attach = (page: Page) => page.getByRole('dialog', { name: 'Attach a resource' })
const prompts = (page: Page) => page.getByRole('dialog', { name: 'Use a prompt' })
const viewer = (page: Page) => page.getByRole('dialog', { name: /^Resource: / })
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const attached = (page: Page) => page.getByRole('list', { name: 'Attached to your message' })

/** Adds the official server, and opens its page. */
async function startEverything(shell: RunningShell): Promise<void> {
  const { page } = shell
  await addTrustedServer(shell, everything)
  await page.getByRole('main').getByRole('link', { name: 'everything', exact: true }).click()
}

async function openTab(page: Page, tab: string): Promise<void> {
  await goTo(page, 'Servers')
  await page.getByRole('main').getByRole('link', { name: 'everything', exact: true }).click()
  await page.getByRole('tab', { name: tab, exact: true }).click()
}

test.describe('resources and results of a server', () => {
  test('are picked with @, sent alone, compared with an earlier version, and shown with pictures, schema, progress and log level (RES-10, LOG-01, PROG-01)', async ({
    shell,
    page,
  }) => {
    await startEverything(shell)
    await test.step('are picked by typing @, narrowed by words, shown as list and tree, previewed and attached', async () => {
      await newConversation(page)
      await message(page).pressSequentially('look at @')
      await page.getByRole('option', { name: 'Browse all resources …' }).click()
      await typeInto(attach(page).getByRole('searchbox'), 'architecture')
      await expect(attach(page).getByRole('searchbox')).toHaveValue('architecture')
      await expect(message(page)).toHaveValue('look at @')
      const row = attach(page).getByRole('button', { name: /architecture\.md/ })
      await expect(row).toHaveCount(1)
      await expectNoFaults(page)
      await attach(page).getByRole('button', { name: 'As a tree' }).click()
      await expect(attach(page).getByText('demo://resource', { exact: true })).toBeVisible()
      await expectNoFaults(page)
      await row.click()
      await attach(page).getByRole('button', { name: 'Preview' }).click()
      await expect(
        attach(page)
          .getByRole('heading', { name: /Architecture/i })
          .first(),
      ).toBeVisible()
      await expectNoFaults(page)
      await attach(page).getByRole('button', { name: 'Attach', exact: true }).click()
      await expect(attach(page)).toHaveCount(0)
      await expect(attached(page)).toContainText('architecture.md')
      await expect(attached(page)).toContainText(/about [\d,]+ tokens/)
      await expect(message(page)).toHaveValue('look at ')
      await page.getByRole('button', { name: 'Context', exact: true }).click()
      await expect(page.getByRole('region', { name: 'What the model is given' })).toBeVisible()
      await expectNoFaults(page)
      await page.keyboard.press('Escape')

      await send(page, 'what does it say?')
      await expect(page.getByRole('list', { name: 'Attached', exact: true })).toContainText('architecture.md')
      await expect(attached(page)).toHaveCount(0)
    })
    await test.step('of a template are made of what is typed, over which no suggestion of the same lies', async () => {
      await newConversation(page)
      await page.getByRole('button', { name: 'Attach', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Resources …' }).click()
      await attach(page)
        .getByRole('button', { name: /Dynamic Text Resource/ })
        .click()
      const field = attach(page).getByRole('combobox', { name: 'resourceId' })
      await expect(attach(page).getByText('Sent to everything as you type, for suggestions.')).toHaveCount(1)
      await field.fill('7')
      await attach(page).getByRole('button', { name: 'Use these values' }).click()
      await attach(page).getByRole('button', { name: 'Preview' }).click()
      await expect(attach(page)).toContainText('Resource 7: This is a plaintext resource')
      await attach(page).getByRole('button', { name: 'Attach', exact: true }).click()
      await expect(attached(page)).toContainText('demo://resource/dynamic/text/7')
      await attached(page)
        .getByRole('button', { name: /^Remove / })
        .click()
      await expect(attached(page)).toHaveCount(0)
    })
    await test.step('are a message of their own, without words, and name their conversation', async () => {
      await newConversation(page)
      await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
      await page.getByRole('button', { name: 'Attach', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Resources …' }).click()
      await attach(page)
        .getByRole('button', { name: /architecture\.md/ })
        .click()
      await attach(page).getByRole('button', { name: 'Attach', exact: true }).click()
      await expect(attached(page)).toContainText('architecture.md')
      await attached(page)
        .getByRole('button', { name: /^Remove / })
        .click()
      await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
      // In a narrow window, too, what can be undone lies over nothing.
      const size = page.viewportSize() ?? { width: 1280, height: 720 }
      await page.setViewportSize({ width: 700, height: 600 })
      const undo = page.getByRole('region', { name: 'Undo' })
      const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { y: Number.NaN, height: Number.NaN }
      const screen = await boxOf(page.getByRole('main'))
      const bar = await boxOf(undo)
      expect(bar.y).toBeGreaterThanOrEqual(screen.y + screen.height)
      expect(bar.y + bar.height).toBeLessThanOrEqual(600)
      await undo.getByRole('button', { name: 'Undo' }).click()
      await expect(attached(page)).toContainText('architecture.md')
      await page.getByRole('button', { name: 'Send' }).click()
      await expect(page.getByRole('list', { name: 'Attached', exact: true })).toContainText('architecture.md')
      await expect(page.getByRole('heading', { level: 1, name: 'architecture.md' })).toBeVisible()
      await expect(page.getByRole('article')).toHaveCount(2)
      await page.setViewportSize(size)
    })
    await test.step('that changed since they were attached say so, with what is different', async () => {
      await newConversation(page)
      await page.getByRole('button', { name: 'Attach', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Resources …' }).click()
      await attach(page)
        .getByRole('button', { name: /Dynamic Text Resource/ })
        .click()
      await attach(page).getByRole('combobox', { name: 'resourceId' }).fill('3')
      await attach(page).getByRole('button', { name: 'Use these values' }).click()
      await attach(page).getByRole('button', { name: 'Attach', exact: true }).click()
      await expect(attached(page)).toBeVisible()
      await expect(attached(page)).not.toContainText('changed since')
      await openTab(page, 'Tools')
      await page.getByRole('searchbox').fill('toggle-subscriber-updates')
      await page.getByRole('main').getByRole('link', { name: 'toggle-subscriber-updates', exact: true }).click()
      await callByHand(shell)
      await goTo(page, 'Conversations')
      await page
        .getByRole('link', { name: /^New conversation/ })
        .first()
        .click()
      await attached(page).getByRole('button', { name: 'changed since you attached it' }).click()
      const changes = page.getByRole('dialog', { name: /^What changed in/ })
      await changes.getByRole('button', { name: 'Refresh' }).click()
      await expect(changes.locator('.content-diff-added, .content-item .meta').first()).toBeVisible()
      await expectNoFaults(page)
      await changes.getByRole('button', { name: 'Close' }).click()
      await expect(changes).toHaveCount(0)
    })
    await test.step('a picture shows as one, structured content stands beside its schema', async () => {
      await newConversation(page)
      await send(page, 'use everything/get-tiny-image')
      await answer(page, 'Allow once')
      const picture = card(page, 'get-tiny-image').getByRole('img', { name: 'Image' })
      await expect(picture).toBeVisible()
      expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
      await send(page, 'use everything/get-structured-content with location="New York"')
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'get-structured-content'), 'Finished')
      const structured = await openCall(card(page, 'get-structured-content'))
      await structured.getByText('Structured content').click()
      await structured.getByRole('button', { name: 'Show output schema' }).click()
      await expect(structured).toContainText('"temperature"')
    })
    await test.step('the log level that was chosen is sent to the server', async () => {
      await openTab(page, 'Log')
      await page.getByRole('combobox', { name: 'Level the server sends' }).selectOption('debug')
      await openTab(page, 'Traffic')
      await page.getByRole('searchbox').fill('logging/setLevel')
      await page.locator('.traffic-head').first().click()
      await expect(page.getByRole('region', { name: 'The request' })).toContainText('"debug"')
      await expect(page.getByRole('region', { name: 'The answer' })).toContainText('"result"')
      await page.getByRole('searchbox').fill('')
      await page.getByRole('combobox', { name: 'Method' }).selectOption('initialize')
      await expect(page.locator('.traffic')).toHaveCount(1)
    })
    await test.step('progress without an end is a bar without one, and in fractions where an end is known', async () => {
      await addAsker(shell)
      await newConversation(page)
      await send(page, 'use asks/work')
      await answer(page, 'Allow once')
      const bar = card(page, 'work').getByRole('progressbar')
      await expect(card(page, 'work')).toContainText('half a step')
      await expect(bar).not.toHaveAttribute('value')
      await form(page).getByRole('button', { name: 'Decline' }).click()
      await expect(bar).toHaveAttribute('max', '3')
      await expect(bar).toHaveAttribute('value', '1.5')
      await form(page).getByRole('button', { name: 'Decline' }).click()
      await expectStatus(card(page, 'work'), 'Finished')
      await expect(bar).toHaveCount(0)
    })
  })
})

test.describe('prompts and resources of a server', () => {
  test('are used by hand: a link is read on a click, and a prompt gets its arguments, is completed, previewed, used or inserted (PROMPT-03, PROMPT-07, PROMPT-15)', async ({
    shell,
    page,
  }) => {
    await startEverything(shell)
    await test.step('resources in results are links until a click reads them', async () => {
      await newConversation(page)
      await send(page, 'use everything/get-resource-links with count=2')
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'get-resource-links'), 'Finished')
      await expect(card(page, 'get-resource-links')).not.toContainText('This is a plaintext resource')
      await card(page, 'get-resource-links').getByRole('button', { name: 'Read from the server' }).last().click()
      await expect(viewer(page)).toContainText('Resource 2: This is a plaintext resource')
      await page.keyboard.press('Escape')
      await openTab(page, 'Traffic')
      await page.getByRole('searchbox').fill('resources/read')
      await expect(page.locator('.traffic')).toHaveCount(1)
    })
    await test.step('resources are read by hand in the server’s page, text and bytes alike', async () => {
      await openTab(page, 'Resources')
      const blob = page.getByRole('listitem').filter({ hasText: 'Dynamic Blob Resource' })
      await press(blob.getByRole('button', { name: 'Open' }))
      await blob.getByRole('combobox', { name: 'resourceId' }).fill('5')
      await blob.getByRole('button', { name: 'Read', exact: true }).click()
      await expect(viewer(page)).toContainText('demo://resource/dynamic/blob/5')
      await expect(viewer(page).locator('.content-hex')).toContainText('52 65 73 6f')
      await page.keyboard.press('Escape')
      await expect(viewer(page)).toHaveCount(0)
    })
    await test.step('resources go into a chat from the page of their server', async () => {
      await page.getByRole('button', { name: 'Read' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Use in chat' }).click()
      await expect(message(page)).toBeVisible()
      await expect(attached(page).getByRole('listitem')).toHaveCount(1)
    })
    await test.step('prompts need their required arguments before anything is sent; titles label them', async () => {
      await newConversation(page)
      await page.getByRole('button', { name: 'Prompts', exact: true }).click()
      await prompts(page)
        .getByRole('button', { name: /args-prompt|Arguments Prompt/ })
        .click()
      await prompts(page).getByRole('button', { name: 'Preview' }).click()
      await expect(prompts(page).getByRole('combobox', { name: 'city' })).toHaveAttribute('aria-invalid', 'true')
      await page.keyboard.press('Escape')
      await openTab(page, 'Traffic')
      await page.getByRole('searchbox').fill('prompts/get')
      await expect(page.locator('.traffic')).toHaveCount(0)
    })
    await test.step('prompts open with /, complete each argument by the ones before, and are previewed', async () => {
      await newConversation(page)
      await message(page).pressSequentially('/team')
      await expect(page.getByRole('option', { name: /Team Management/ })).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Enter')
      await prompts(page).getByRole('combobox', { name: 'department' }).pressSequentially('S')
      await expect(prompts(page).getByRole('option')).toHaveText(['Sales', 'Support'])
      await expectNoFaults(page)
      await prompts(page).getByRole('option', { name: 'Sales' }).click()
      await prompts(page).getByRole('combobox', { name: 'name' }).pressSequentially('E')
      await prompts(page).getByRole('option', { name: 'Eve' }).click()
      await prompts(page).getByRole('button', { name: 'Preview' }).click()
      await expect(prompts(page)).toContainText('Please promote Eve to the head of the Sales team.')
      await expect(prompts(page)).toContainText('everything')
      await expect(page.locator('.message')).toHaveCount(0)
      await prompts(page).getByRole('button', { name: 'Use it' }).click()
      await expect(page.getByRole('article', { name: 'You' })).toContainText('Please promote Eve')
      await expect(page.getByRole('article', { name: 'You' })).toContainText(/From the prompt.*Team Management.*everything/)
      await expect(message(page)).toHaveValue('')
    })
    await test.step('prompts are inserted without running the model when that is wanted', async () => {
      await openTab(page, 'Prompts')
      await page.getByRole('listitem').filter({ hasText: 'simple-prompt' }).getByRole('button', { name: 'Use prompt' }).click()
      const row = page.getByRole('listitem').filter({ hasText: 'simple-prompt' })
      await row.getByRole('button', { name: 'Preview' }).click()
      await expect(row.getByRole('region', { name: 'Prompt messages' })).toContainText('simple prompt without arguments')
      await newConversation(page)
      await page.getByRole('button', { name: 'Prompts', exact: true }).click()
      await typeInto(prompts(page).getByRole('searchbox'), 'simple-prompt')
      await prompts(page)
        .getByRole('button', { name: /simple-prompt|Simple Prompt/ })
        .click()
      await prompts(page).getByRole('button', { name: 'Preview' }).click()
      await prompts(page).getByRole('button', { name: 'Insert without asking the model' }).click()
      await expect(page.getByRole('article', { name: 'You' })).toHaveCount(1)
      await expect(page.getByRole('article')).toHaveCount(1)
    })
  })
})

test.describe('results, progress and logs of a server', () => {
  test('include the traffic, which is saved as a report', { tag: '@long' }, async ({ shell, page }) => {
    await startEverything(shell)
    await openTab(page, 'Traffic')
    await expect(page.locator('.traffic').first()).toBeVisible()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save bug report' }).click(),
    ])
    const report = await readFile(await file.path(), 'utf8')
    expect(report).toContain('# Report about everything')
    expect(report).toContain('"method":"initialize"')
  })
})

test('files of server-filesystem reach the conversation through its tools, and the meter counts them (SEC-02)', {
  tag: '@long',
}, async ({ shell, page }) => {
  const folder = join(shell.folder, 'shared')
  await mkdir(folder)
  await writeFile(join(folder, 'plan.md'), '# Plan\n\nBuild it.\n')
  await addTrustedServer(shell, { name: 'files', args: [official('server-filesystem'), folder] })
  await newConversation(page)
  await send(page, `use files/read_text_file with path="${join(folder, 'plan.md')}"`)
  await answer(page, 'Allow once')
  await expectShown(page, 'read_text_file', 'Build it.')
  const meter = page.getByRole('button', { name: 'Context', exact: true })
  await meter.click()
  const panel = page.getByRole('region', { name: 'What the model is given' })
  await expect(panel).toContainText('Tool definitions')
  await panel.getByText('files', { exact: true }).click()
  await panel.getByRole('button', { name: 'Turn off here' }).first().click()
  await expect(panel.getByRole('button', { name: 'Turn on here' })).toBeVisible()
  const tools = panel.locator('.context-part').filter({ hasText: 'Tool definitions' }).getByRole('definition')
  await expect(tools).not.toHaveText('0')
  await panel.getByRole('button', { name: 'Turn all off here' }).click()
  await expect(tools).toHaveText('0')
  await panel.getByRole('button', { name: 'Turn all on here' }).click()
  await expect(panel.getByRole('button', { name: 'Turn off here' }).first()).toBeVisible()
})

test('an unknown context window is assumed, set by the person, and warned of with a remedy and its undo', {
  tag: '@long',
}, async ({ shell, page }) => {
  const api = await startModelApi(() => ({ text: 'I see.' }))
  try {
    await connectModel(page, `${api.url}/v1`, 'OpenAI-compatible', 'llama3.2')
    await startEverything(shell)
    await newConversation(page)
    await chooseModel(page, 'llama3.2')
    await send(page, 'hello')
    await expect(page.getByText('I see.')).toBeVisible()
    await page.getByRole('button', { name: 'Attach', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Resources …' }).click()
    await attach(page)
      .getByRole('button', { name: /architecture\.md/ })
      .click()
    await attach(page).getByRole('button', { name: 'Attach', exact: true }).click()
    await expect(attached(page)).toBeVisible()

    const meter = page.getByRole('button', { name: 'Context', exact: true })
    const panel = page.getByRole('region', { name: 'What the model is given' })
    await meter.click()
    await expect(panel).toContainText('assuming 128,000 tokens')
    await expectNoFaults(page)
    await panel.getByRole('button', { name: 'Set context window' }).click()
    const dialog = page.getByRole('dialog', { name: 'Context window' })
    await expect(dialog.getByRole('textbox')).toBeFocused()
    await dialog.getByRole('textbox').fill('many')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true')
    await expectNoFaults(page)
    await dialog.getByRole('textbox').fill('300')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(meter).toHaveAccessibleDescription(/of 300 tokens/)

    await expect(page.getByText('This is too long for the model.')).toBeVisible()
    await page.getByRole('button', { name: /^Remove “architecture/ }).click()
    await expect(attached(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(attached(page)).toContainText('architecture.md')

    await goTo(page, 'Settings')
    const provider = page.getByRole('region', { name: 'OpenAI-compatible' })
    await provider.getByText(/^\d+ models?$/).click()
    await expect(provider).toContainText('300 tokens, as you set it')
    await provider.getByRole('button', { name: 'Context window of llama3.2' }).click()
    await dialog.getByRole('button', { name: 'Use the provider’s' }).click()
    await expect(provider).not.toContainText('as you set it')
  } finally {
    await api.close()
  }
})

test.describe('conversations', () => {
  test('are forked, edited whole and sent again, pinned, tagged, exported and imported', async ({ page, shell }) => {
    await test.step('are forked from a message, edited and sent again, and keep what was said', async () => {
      await newConversation(page)
      await send(page, 'use playground/add with a=1 b=2')
      await answer(page, 'Allow once')
      await expectShown(page, 'add', '1 + 2 = 3')
      await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
      const mine = page.getByRole('article', { name: 'You' })
      // A line of words in its bubble: what can be done with it takes no row of its own.
      expect((await mine.boundingBox())?.height).toBeLessThanOrEqual(44)
      await mine.getByRole('button', { name: 'Edit' }).click()
      const edit = mine.getByRole('form', { name: 'Edit message' })
      await expect(edit.getByRole('textbox', { name: 'Message' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(edit).toHaveCount(0)
      await expect(mine.getByRole('button', { name: 'Edit' })).toBeFocused()
      await page.keyboard.press('Enter')
      await edit.getByRole('textbox', { name: 'Message' }).fill('use playground/add with a=20 b=30')
      await edit.getByRole('button', { name: 'Send' }).click()
      await answer(page, 'Allow once')
      await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
      await expectShown(page, 'add', '20 + 30 = 50')
      await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
      const versions = mine.getByRole('group', { name: 'Versions' })
      await expect(versions).toContainText('2/2')
      await versions.getByRole('button', { name: 'Next version' }).focus()
      await page.keyboard.press('ArrowLeft')
      await expect(versions).toContainText('1/2')
      await expect(versions.getByRole('button', { name: 'Next version' })).toBeFocused()
      await expect(page.getByText('Version 1 of 2')).toBeAttached()
      await expectShown(page, 'add', '1 + 2 = 3')
      await expectNoFaults(page)
      await mine.getByRole('button', { name: 'More about this message' }).click()
      await page.getByRole('menuitem', { name: 'Fork from here' }).click()
      await expect(message(page)).toHaveValue('use playground/add with a=1 b=2')
    })
    await test.step('have long messages edited and copied whole, though only their beginning travelled', async () => {
      await newConversation(page)
      const long = `${'many words '.repeat(4_000)}and the very end`
      await send(page, long)
      await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
      await page.evaluate(() => {
        navigator.clipboard.writeText = async (text) => void Object.assign(window, { copied: text })
      })
      const own = page.getByRole('article', { name: 'You' }).first()
      await own.hover()
      await own.getByRole('button', { name: 'Copy' }).click()
      await expect.poll(() => page.evaluate(() => Reflect.get(window, 'copied'))).toBe(long)
      await own.getByRole('button', { name: 'Edit' }).click()
      await expect(own.getByRole('textbox', { name: 'Message' })).toHaveValue(long)
    })
    await test.step('are pinned, tagged, exported and imported', async () => {
      await newConversation(page)
      await send(page, 'use playground/add with a=4 b=5')
      await answer(page, 'Allow once')
      await expectShown(page, 'add', '4 + 5 = 9')
      const menu = page.getByRole('button', { name: 'More about this conversation' })
      await menu.click()
      await page.getByRole('menuitem', { name: 'Pin' }).click()
      await expect(page.getByText('Pinned', { exact: true })).toBeVisible()
      await menu.click()
      await page.getByRole('menuitem', { name: 'Tags …' }).click()
      await page.getByRole('textbox', { name: 'Tags of this conversation' }).fill('sums, school')
      await page.getByRole('dialog', { name: 'Tags' }).getByRole('button', { name: 'Save' }).click()
      await expect(page.getByRole('combobox', { name: 'Show', exact: true })).toContainText('school (1)')
      await menu.click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Export for Parley' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/\.parley$/)
      // Chromium gives up downloads that are answered for it, as the double does for the desktop's own scheme.
      if (shell.kind === 'electron') return
      await page.getByLabel('Exported conversation').setInputFiles(await file.path())
      await expect(page.getByRole('link', { name: /^use playground\/add with a=4/ })).toHaveCount(2)
      await expectShown(page, 'add', '4 + 5 = 9')
      await expect(page.getByRole('article', { name: 'You' }).getByText('Imported', { exact: true })).toBeVisible()
    })
  })
})
