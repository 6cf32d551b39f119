import type { Page } from 'playwright'
import { PAYLOADS } from '../servers/hostile-content/payloads.mjs'
import { expect, test } from '../shells/shell-test.ts'
import { watchPage } from '../shells/watch-page.ts'
import { expectHarmless } from './hostile-steps.ts'
import {
  addTrustedServer,
  answer,
  card,
  consent,
  expectShown,
  expectStatus,
  goTo,
  newConversation,
  openCall,
  send,
  server,
} from './steps.ts'

/** All in the long run, half of them in the short one. */
const share = (numbers: readonly number[]) => (process.env.PARLEY_LONG === '1' ? numbers : numbers.slice(0, numbers.length / 2))

/** Long enough for an image or a frame to begin loading on a busy machine; what is watched for comes within milliseconds. */
const ROUNDS = 40

/** Sees whatever a payload could do: run, open a dialog or a window, or ask for anything outside of this machine. */
function watch(page: Page) {
  const seen = watchPage(
    page,
    ({ protocol, hostname }) =>
      hostname === '127.0.0.1' ||
      hostname === 'app.parley-page.localhost' ||
      ['parley-page:', 'data:', 'blob:'].includes(protocol),
  )
  page.on('frameattached', (frame) => seen.push(`frame ${frame.url()}`))
  return seen
}

/** Scrolls a list to its end, so that every row is built once. */
async function scrollThrough(page: Page, selector: string, most = ROUNDS): Promise<void> {
  const list = page.locator(selector).first()
  await expect(list).toBeVisible()
  for (let round = 0; round < most; round++) {
    const atEnd = await list.evaluate(async (element) => {
      element.scrollTop += element.clientHeight * 4
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      return element.scrollTop + element.clientHeight >= element.scrollHeight - 2
    })
    if (atEnd) break
  }
}

async function openServer(page: Page, tab?: string): Promise<void> {
  await goTo(page, 'Servers')
  await page.getByRole('main').getByRole('link', { name: 'stranger', exact: true }).click()
  if (tab) await page.getByRole('tab', { name: tab, exact: true }).click()
}

const stranger = { name: 'stranger', args: [server('hostile-content/server.mjs')] }

/** The same without its 500 tools, so that the model is offered those that speak. */
const fewTools = { ...stranger, args: [...stranger.args, 'few'] }

test.describe('a server that fills every field with hostile text', () => {
  test('names, descriptions and schemas of 500 tools, resources and prompts, log, traffic and output stay text (LOG-10, PROMPT-13, RES-30)', async ({
    shell,
    page,
  }) => {
    const seen = watch(page)
    await addTrustedServer(shell, stranger)
    await test.step('names, titles, descriptions and schemas of 500 tools, resources and prompts stay text', async () => {
      expect(PAYLOADS).toHaveLength(500)
      await openServer(page)
      await expectHarmless(page, seen)
      for (const tab of ['Tools', 'Resources', 'Prompts']) {
        await page.getByRole('tab', { name: tab, exact: true }).click()
        await scrollThrough(page, '.ui-virtual')
        await expectHarmless(page, seen)
      }
      await page.getByRole('tab', { name: 'Tools', exact: true }).click()
      for (const number of [2, 22, 43]) {
        await page.getByRole('searchbox').fill(`tool-${number}`)
        await page
          .getByRole('main')
          .getByRole('link', { name: new RegExp(`tool-${number}`) })
          .first()
          .click()
        await expect(page.getByRole('heading', { name: 'Run tool' })).toBeVisible()
        await page.getByText('Input schema').click()
        await expectHarmless(page, seen)
        await expect(page.locator('.ui-mark').first()).toBeVisible()
        await page.getByRole('button', { name: 'All tools' }).click()
      }
    })
    await test.step('log lines, traffic and program output stay text', async () => {
      await openServer(page, 'Log')
      await page.getByRole('combobox', { name: 'Level the server sends' }).selectOption('debug')
      await expect(page.getByRole('main')).toContainText(/p49\d/)
      await expectHarmless(page, seen)
      await page.getByRole('tab', { name: 'Traffic' }).click()
      await scrollThrough(page, '.ui-virtual', 10)
      await page.locator('.traffic-head').first().click()
      await expectHarmless(page, seen)
    })
  })

  test('results, errors, progress and the words of a model about them stay text (TOOL-35, RES-30)', { tag: '@long' }, async ({
    shell,
    page,
  }) => {
    const seen = watch(page)
    await addTrustedServer(shell, fewTools)
    await newConversation(page)
    for (let from = 0; from < PAYLOADS.length; from += 50) {
      await send(page, `use stranger/speak with from=${from}`)
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'speak'), 'Finished')
      await openCall(card(page, 'speak'))
      await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
      await expectHarmless(page, seen)
    }
    await expect(page.locator('.messages .ui-mark').first()).toBeVisible()

    await send(page, 'use stranger/fail with from=100')
    await answer(page, 'Allow once')
    await expectShown(page, 'fail', 'reports an error')
    await send(page, 'use stranger/refuse with from=200')
    await answer(page, 'Allow once')
    await expectStatus(card(page, 'refuse'), 'Failed')
    await expectHarmless(page, seen)
  })

  test('contents of resources, and errors of reading them, stay text in the viewer (RES-30, RES-05)', { tag: '@long' }, async ({
    shell,
    page,
  }) => {
    const seen = watch(page)
    await addTrustedServer(shell, fewTools)
    await openServer(page, 'Resources')
    const list = page.getByRole('list', { name: 'Resources', exact: true })
    const viewer = page.getByRole('dialog', { name: /^Resource: / })
    let refused = 0
    for (let row = 0; row < 7; row++) {
      await list.getByRole('button', { name: 'Read', exact: true }).nth(row).click()
      await expect(viewer).toBeVisible()
      const item = viewer.locator('.content-item').first()
      const problem = viewer.getByText('“stranger” could not read')
      await expect(item.or(problem).first()).toBeVisible()
      if (await problem.count()) refused += 1
      await expectHarmless(page, seen)
      await page.keyboard.press('Escape')
      await expect(viewer).toHaveCount(0)
    }
    expect(refused).toBe(1)
  })

  test('prompts, their completions and instructions stay text, and no question is spoofed (PROMPT-13, COMP-18, SAMP-04)', async ({
    shell,
    page,
  }) => {
    const seen = watch(page)
    await addTrustedServer(shell, fewTools)
    await test.step('what prompts return, and what completes them, stays text before and after it enters', async () => {
      await newConversation(page)
      const dialog = page.getByRole('dialog', { name: 'Use a prompt' })
      for (const number of share([4, 463, 31, 102])) {
        await page.getByRole('button', { name: 'Prompts', exact: true }).click()
        await dialog.getByRole('searchbox').fill(`prompt-${number}`)
        // A click on a list that is just being narrowed down may meet nothing.
        await expect(dialog.locator('.picker-row').first()).toContainText(`prompt-${number}`)
        await dialog.locator('.picker-row').first().click()
        const field = dialog.getByRole('combobox').first()
        await field.fill('p')
        await expect(dialog.getByRole('option').first()).toBeVisible()
        await expectHarmless(page, seen)
        await field.fill('x')
        await field.press('Tab')
        await dialog.getByRole('button', { name: 'Preview' }).click()
        await expectHarmless(page, seen)
        await dialog.getByRole('button', { name: 'Insert without asking the model' }).click()
        await expect(dialog).toHaveCount(0)
        await expectHarmless(page, seen)
      }
    })
    await test.step('what it wants a model to be told stays text in the review', async () => {
      await newConversation(page)
      for (const from of share([0, 375, 125, 250])) {
        await send(page, `use stranger/sample with from=${from}`)
        await answer(page, 'Allow once')
        const question = page.getByRole('dialog', { name: 'Review sampling request' })
        await expect(question).toBeVisible()
        await expect(page.getByRole('dialog')).toHaveCount(1)
        await expectHarmless(page, seen)
        await question.getByRole('button', { name: 'Decline' }).click()
        await expect(question).toHaveCount(0)
        await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
      }
    })
    await test.step('no question is spoofed: only Parley’s own dialogs are there, and what a server says in one is framed', async () => {
      await newConversation(page)
      await send(page, 'use stranger/speak with from=20')
      await expect(page.getByRole('dialog')).toHaveCount(1)
      await expect(consent(page)).toBeVisible()
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'speak'), 'Finished')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page.getByRole('button', { name: /^(Allow|Always allow|Allow once)$/ })).toHaveCount(0)
      await send(page, 'use stranger/ask with from=21')
      await answer(page, 'Allow once')
      const question = page.getByRole('dialog', { name: 'Information requested' })
      await expect(question).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(1)
      await expectHarmless(page, seen)
      await question.getByRole('button', { name: 'Decline' }).click()
      await expect(question).toHaveCount(0)
    })
  })
})
