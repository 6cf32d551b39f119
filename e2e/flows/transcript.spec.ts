import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectNoFaults } from '../shells/axe.ts'
import type { RunningShell } from '../shells/running-shell.ts'
import { expect, test } from '../shells/shell-test.ts'
import { startModelApi } from '../support/model-api.ts'
import { writeLongConversation } from '../support/storage/long-conversation.ts'
import { hearing, walkTo } from './keyboard-steps.ts'
import { connectModel } from './question-steps.ts'
import {
  addTrustedServer,
  answer,
  card,
  chooseModel,
  consent,
  expectServerState,
  expectStatus,
  goTo,
  highlighted,
  newConversation,
  official,
  openCall,
  send,
  trust,
} from './steps.ts'

const FILES = 12

/** A folder of small modules, and the filesystem server on it. */
async function addModules(shell: RunningShell): Promise<string> {
  const folder = join(shell.folder, 'src')
  mkdirSync(folder)
  for (let n = 1; n <= FILES; n += 1) writeFileSync(join(folder, `mod${n}.ts`), `export const value${n} = ${n}\n`.repeat(30))
  await addTrustedServer(shell, { name: 'filesystem', args: [official('server-filesystem'), folder] })
  return folder
}

/** Fifteen calls in five rounds: several at once, and other tools in between. */
function task(folder: string): string {
  const read = (n: number) => `filesystem/read_text_file with path="${join(folder, `mod${n}.ts`)}"`
  const rounds = [
    [`filesystem/list_directory with path="${folder}"`],
    [1, 2, 3, 4, 5, 6].map(read),
    [`filesystem/directory_tree with path="${folder}"`, `filesystem/get_file_info with path="${join(folder, 'mod7.ts')}"`],
    [7, 8, 9, 10, 11].map(read),
    [`filesystem/search_files with path="${folder}" pattern=mod12`],
  ]
  return `use ${rounds.map((calls) => calls.join('; ')).join(' then ')}`
}

const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const reply = (page: Page) => messages(page).getByRole('article').last()
const calls = (page: Page) => page.getByRole('group', { name: /^Tool call: / })
const group = (page: Page, name: RegExp) => reply(page).getByRole('button', { name })
const retry = (page: Page) => page.getByRole('button', { name: 'Retry', exact: true })

/** Arguments, result, who allowed it, tokens, and both as JSON. */
async function expectDetails(call: Locator, path: string, result: RegExp): Promise<void> {
  await expect(call.getByRole('cell', { name: path })).toBeVisible()
  await expect(call.locator('pre').first()).toContainText(result)
  await expect(call.getByText(/^(You allowed this call|Allowed )/)).toBeVisible()
  await expect(call.getByText(/^Round \d: [\d,]+ tokens in/)).toBeVisible()
  await expect(call.getByRole('button', { name: 'As JSON', exact: true })).toBeVisible()
  await expect(call.getByRole('button', { name: 'Result as JSON' })).toBeVisible()
}

test.describe('a reply with fifteen calls', () => {
  test.use({ shellOptions: { viewport: { width: 1280, height: 820 } } })

  test('is one thing to read, with details one action away, by keyboard alone, announced, and shows a file change as a difference', async ({
    shell,
    page,
  }) => {
    await test.step('are one thing to read, of which every detail is one action away', async () => {
      const folder = await addModules(shell)
      await newConversation(page)
      await send(page, task(folder))
      await answer(page, 'Allow in this conversation')
      await expect(retry(page)).toBeVisible()
      await expect(calls(page)).toHaveCount(15)
      for (const call of await calls(page).all()) await expectStatus(call, 'Finished')
      await expect(messages(page).getByRole('article')).toHaveCount(2)
      const lines = reply(page).locator('.call-line')
      await expect(lines).toHaveCount(6)
      for (const line of await lines.all()) expect((await line.boundingBox())?.height).toBe(32)
      const height = await messages(page).evaluate((list) => {
        const all = [...list.querySelectorAll('article')].map((article) => article.getBoundingClientRect())
        return Math.max(...all.map(({ bottom }) => bottom)) - Math.min(...all.map(({ top }) => top))
      })
      expect(height).toBeLessThanOrEqual(1200)
      await expectNoFaults(page)

      const alone = [
        ['list_directory', folder, /mod1\.ts/],
        ['directory_tree', folder, /mod1\.ts/],
        ['get_file_info', join(folder, 'mod7.ts'), /size/],
        ['search_files', folder, /mod12\.ts|No matches/],
      ] as const
      for (const [tool, path, result] of alone) {
        await page.getByRole('button', { name: new RegExp(`^Finished ${tool}`) }).click()
        await expectDetails(card(page, tool), path, result)
        await page.getByRole('button', { name: new RegExp(`^Finished ${tool}`) }).click()
      }
      for (const [name, from, to] of [
        [/^Finished 6 files read/, 1, 6],
        [/^Finished 5 files read/, 7, 11],
      ] as const) {
        await group(page, name).hover()
        await group(page, name).locator('..').getByRole('button', { name: 'All details' }).click()
        for (let n = from; n <= to; n += 1) {
          const path = join(folder, `mod${n}.ts`)
          await expectDetails(calls(page).filter({ hasText: path }).last(), path, new RegExp(`value${n} = ${n}`))
        }
        // Both look the same.
        if (from === 1) await expectNoFaults(page)
        await group(page, name).click()
      }
      await expect(lines).toHaveCount(6)
      await expect(reply(page)).toContainText(/[\d,]+ tokens, 6 rounds/)
    })
    await test.step('are done by keyboard alone, and a screen reader hears the question and the end', async () => {
      const folder = join(shell.folder, 'src')
      await newConversation(page)
      const heard = await hearing(page)
      await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
      await page.keyboard.insertText(task(folder))
      await page.keyboard.press('Enter')
      await expect(consent(page).getByRole('button', { name: 'Deny', exact: true })).toBeFocused()
      const rule = consent(page).getByRole('button', { name: / in this conversation$/ })
      await expect(rule).toBeEnabled()
      await walkTo(page, rule)
      await page.keyboard.press('Enter')
      await expect(retry(page)).toBeVisible()
      await expect
        .poll(heard)
        .toEqual(['Question: Run list_directory on filesystem?', 'Demo (not an AI) has replied after 15 tool calls.'])

      // Back from the composer to the line of the last call, which opens and closes under the focus.
      const line = page.getByRole('button', { name: /^Finished search_files/ })
      await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
      await walkTo(page, line, 'Shift+Tab')
      await page.keyboard.press('Enter')
      await expectDetails(card(page, 'search_files'), folder, /mod12|No matches/)
      await expect(line).toHaveAttribute('aria-expanded', 'true')
      await page.keyboard.press('Enter')
      await expect(line).toBeFocused()
      await expect(line).toHaveAttribute('aria-expanded', 'false')
      await expect(reply(page)).toMatchAriaSnapshot(`
      - article "Demo (not an AI)":
        - 'group "Tool call: list_directory"':
          - button /Finished list_directory .* filesystem/
        - button /Finished 6 files read/
        - button "All details"
        - 'group "Tool call: read_text_file"': /Finished read_text_file .*mod1.ts/
        - 'group "Tool call: read_text_file"': /Finished read_text_file .*mod2.ts/
    `)
    })
    await test.step('shows a file change as a difference before it is allowed, and after', async () => {
      const folder = join(shell.folder, 'src')
      const path = join(folder, 'mod1.ts')
      writeFileSync(path, 'const a = 1\nconst b = 2\nconst c = 3\n')
      const edits = [{ oldText: 'const a = 1\nconst b = 2', newText: 'const a = 1\nconst b = 20' }]
      await newConversation(page)
      await send(page, `use filesystem/edit_file ${JSON.stringify({ path, edits })}`)
      const change = (place: Locator) => place.getByRole('group', { name: '1 change' })
      await expect(change(consent(page)).locator('.content-diff-removed')).toHaveText('− const b = 2')
      await expect(change(consent(page)).locator('.content-diff-added')).toHaveText('+ const b = 20')
      await expect(change(consent(page)).locator('.content-diff-same')).toHaveText('const a = 1')
      await expect(consent(page).getByRole('row')).toHaveCount(1)
      // The changed file is named before the change.
      await expect(consent(page).locator('tr, .content-diff').first()).toContainText('mod1.ts')
      await consent(page).locator('summary', { hasText: 'Details' }).press('Enter')
      await expect(consent(page)).toContainText('oldText')
      await expectNoFaults(page)
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'edit_file'), 'Finished')
      await expect(card(page, 'edit_file').getByRole('button')).toContainText('+1 −1')
      await expect(change(await openCall(card(page, 'edit_file')))).toContainText('+ const b = 20')

      const again = (oldText: string) => JSON.stringify({ path, edits: [{ oldText, newText: `${oldText}0` }] })
      await send(page, `use filesystem/edit_file ${again('const a = 1')}; filesystem/edit_file ${again('const c = 3')}`)
      for (const line of ['+ const a = 10', '+ const c = 30']) {
        await expect(consent(page).locator('.content-diff-added').filter({ hasText: line })).toBeVisible()
      }
      await answer(page, 'Deny')

      // Longer than what a question brings along.
      const lines = Array.from({ length: 150 }, (_, n) => `const line${n} = '${'long '.repeat(12)}'`)
      const long = { path, edits: [{ oldText: lines.join('\n'), newText: lines.with(75, 'const other = 1').join('\n') }] }
      await send(page, `use filesystem/edit_file ${JSON.stringify(long)}`)
      await expect(change(consent(page)).locator('.content-diff-added')).toHaveText('+ const other = 1')
      await expect(change(consent(page)).locator('.content-diff-removed')).toHaveText(/^− const line75/)
      await answer(page, 'Deny')
    })
  })
})

test.describe('a problem that needs attention', () => {
  test('is visible without a click, has one word, is announced once, and links to failed servers', async ({ shell, page }) => {
    await test.step('is in sight without a click: what failed and why, what was declined, pictures', async () => {
      await addTrustedServer(shell, { name: 'everything', args: [official('server-everything'), 'stdio'] })
      await newConversation(page)
      await send(page, 'use playground/always-fails with reason="no luck today"; everything/get-tiny-image')
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'always-fails'), 'Error')
      await expect(card(page, 'always-fails').getByText('no luck today', { exact: true }).last()).toBeVisible()
      await expect(card(page, 'get-tiny-image').getByRole('img', { name: 'Image' })).toBeVisible()
      await expect(card(page, 'get-tiny-image')).not.toContainText('You allowed this call')
      await expect(retry(page)).toBeVisible()
      await send(page, 'use playground/add with a=1 b=2')
      await answer(page, 'Deny')
      await expectStatus(card(page, 'add'), 'Declined')
      await expect(card(page, 'add').locator('.ui-problem')).toBeVisible()
      await expectNoFaults(page)
    })
    await test.step('has one word, and a question that was set aside is answered from its call', async () => {
      await newConversation(page)
      await send(page, 'use playground/add with a=1 b=2')
      await expect(consent(page)).toBeVisible()
      await expectStatus(card(page, 'add'), 'Needs you')
      await expect(card(page, 'add').getByRole('button', { name: 'Answer' })).toHaveCount(0)
      await consent(page).press('Escape')
      await card(page, 'add').getByRole('button', { name: 'Answer' }).click()
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'add'), 'Finished')
    })
    await test.step('is told once when a turn fails', async () => {
      const api = await startModelApi(() => ({ failure: { status: 400, body: { error: { message: 'bad words' } } } }))
      try {
        await connectModel(page, api.url)
        await newConversation(page)
        await chooseModel(page, 'claude sonnet 5 5')
        await send(page, 'hello')
        await expect(retry(page)).toHaveCount(1)
        await expect(messages(page).getByText('bad words')).toHaveCount(1)
      } finally {
        await api.close()
      }
    })
    await test.step('is a link to the servers that failed, where a conversation begins', async () => {
      writeFileSync(join(shell.folder, 'mcp.json'), JSON.stringify({ mcpServers: { gone: { command: 'no-such-program-here' } } }))
      await expect(trust(page)).toBeVisible()
      await page.keyboard.press('Escape')
      await newConversation(page)
      await expect(page.getByRole('main')).toContainText('1 server needs you.')
      await page.getByRole('main').getByRole('link', { name: 'Show' }).click()
      await page.getByRole('button', { name: 'Review', exact: true }).click()
      await shell.trustServer('allow')
      await expectServerState(page, 'gone', 'Failed')
      await newConversation(page)
      await expect(page.getByRole('main')).toContainText('1 server failed.')
      await expect(page.getByRole('main')).not.toContainText('when they are ready')
      const message = page.getByRole('textbox', { name: 'Message' })
      await message.pressSequentially('/')
      await expect(page.getByText('No prompts', { exact: true })).toBeVisible()
      await expect(page.getByRole('option')).toHaveCount(0)
      await message.fill('')
      await page.getByRole('main').getByRole('link', { name: 'Show' }).click()
      await expect(page.getByRole('main').getByRole('link', { name: 'gone', exact: true })).toBeVisible()
    })
  })
})

test.describe('an old message', () => {
  test.use({
    shellOptions: { prepare: (folder) => writeLongConversation(folder, { id: 'long', title: 'A long one', messages: 2000 }) },
  })

  test('is found from the palette, which opens it each time', { tag: '@long' }, async ({ page }) => {
    await newConversation(page)
    await page.keyboard.press('ControlOrMeta+k')
    const command = page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox')
    await command.fill('4900')
    await command.press('Enter')
    await expect(page.getByRole('searchbox', { name: 'Search conversations' })).toBeFocused()
    const hit = page.getByRole('list', { name: 'Search results' }).getByRole('link')
    await expect(hit).toHaveText(/A long one.*row 4900/)
    const wanted = page.locator('#message-m-700')
    const expectThere = async () => {
      await expect(wanted).toBeFocused()
      await expect(wanted).toBeInViewport({ ratio: 1 })
      // It stays where it is when more is built before and after it.
      await expect(page.locator('#message-m-680')).toBeAttached()
      await expect(page.locator('#message-m-720')).toBeAttached()
      await expect(wanted).toBeInViewport({ ratio: 1 })
    }
    await hit.click()
    await expectThere()
    expect(await highlighted(page, 'search')).toEqual(['4900'])
    await page.getByRole('button', { name: 'Go to the latest' }).click()
    await expect(page.locator('#message-m-1999')).toBeInViewport()
    await hit.click()
    await expectThere()
  })
})

/** One block of each kind that Markdown has. */
const BLOCKS = [
  '# A title',
  'A paragraph[^1] in\n<b>two</b> lines.',
  '<div class="x">\nHTML in the middle\n</div>',
  '- one\n- [ ] two',
  '1. one\n2. two',
  '> quoted\n>\n> <p>',
  '```js\nlet a = 1\n```',
  '    indented code',
  '```mermaid\nflowchart LR\n  A --> B\n```',
  '```html\n<p>A page</p>\n```',
  '| a | b |\n| - | - |\n| 1 | 2 |',
  '$$\na = b\n$$',
  '---',
  '![A picture](https://example.com/a.png)',
  '[^1]: A note.',
  '<details>\nHTML at the end\n</details>',
]

test('a long answer looks the same after a reload, and every block begins at the left edge', async ({ page }) => {
  const text = `# The report\n\n${'Where there was no discount, the total is rounded to whole cents. '.repeat(600)}\n\n## The end\n\n\`\`\`js\nlet a = 1\n\`\`\`\n`
  const api = await startModelApi((_request, n) => ({ text: n === 0 ? text : BLOCKS.join('\n\n') }))
  try {
    await connectModel(page, api.url)
    await newConversation(page)
    await chooseModel(page, 'claude sonnet 5 5')
    await send(page, 'report')
    for (let times = 0; times < 2; times++) {
      await expect(retry(page)).toBeEnabled()
      await expect(reply(page).getByRole('heading', { name: 'The report' })).toBeAttached()
      await expect(reply(page).getByRole('heading', { name: 'The end' })).toBeVisible()
      await expect(reply(page).getByRole('button', { name: 'Copy code' })).toBeVisible()
      const letters = await reply(page)
        .locator('p')
        .first()
        .evaluate(
          (text) => (text.textContent ?? '').length / (text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight)),
        )
      expect(letters, 'letters in a line').toBeLessThanOrEqual(90)
      expect(letters).toBeGreaterThan(60)
      await page.reload()
    }
    await test.step('every kind of block begins at the left edge of its column', async () => {
      await newConversation(page)
      await chooseModel(page, 'claude sonnet 5 5')
      await send(page, 'everything')
      await expect(retry(page)).toBeEnabled()
      await expect(reply(page)).toContainText('HTML at the end')
      const edges = await reply(page)
        .locator('.content-markdown')
        .evaluate((column) => {
          const left = (node: Node) => {
            const range = document.createRange()
            range.selectNode(node)
            return Math.round((node instanceof Element ? node : range).getBoundingClientRect().left)
          }
          const shown = [...column.childNodes].filter((node) => node.textContent?.trim() || node.nodeName === 'HR')
          return shown.map((node) => `${node.nodeName}: ${left(node) - left(column)}`)
        })
      const [first = ''] = edges
      expect(edges.length).toBeGreaterThanOrEqual(BLOCKS.length)
      expect(edges.filter((edge) => edge.split(': ')[1] !== first.split(': ')[1])).toEqual([])
    })
  } finally {
    await api.close()
  }
})

test('a pressed control stays below the pointer while the reply grows, which is followed again after', { tag: '@long' }, async ({
  page,
}) => {
  let more = true
  const pressed = Promise.withResolvers<void>()
  const again = () => pressed.promise.then(() => more)
  const lines = 'One line more.\n\n'
  const api = await startModelApi((_, n) =>
    n === 0 ? { text: lines.repeat(60) } : { thinking: 'Hm.', text: lines, again, rate: 40 },
  )
  try {
    await connectModel(page, api.url)
    await newConversation(page)
    await chooseModel(page, 'claude sonnet 5 5')
    await send(page, 'first')
    await expect(retry(page)).toBeEnabled()
    await send(page, 'second')
    const thinking = reply(page).getByText('Thinking', { exact: true })
    await expect(reply(page).locator('p')).toHaveCount(1)
    await thinking.hover()
    await page.mouse.down()
    pressed.resolve()
    const said = () => reply(page).locator('p').count()
    const before = await said()
    await expect.poll(said).toBeGreaterThan(before + 8)
    await page.mouse.up()
    await expect(reply(page).getByText('Hm.')).toBeVisible()
    await expect
      .poll(() => messages(page).evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight))
      .toBeLessThan(2)
    const then = await said()
    await expect.poll(said).toBeGreaterThan(then + 20)
    await expect(thinking).not.toBeInViewport()
  } finally {
    more = false
    pressed.resolve()
    await api.close()
  }
})

test('an answer is copied, retried with another model, and forked, and a file dropped elsewhere changes nothing', async ({
  page,
}) => {
  await test.step('an answer is copied, retried with another model, and forked', async () => {
    const api = await startModelApi(() => ({ text: 'It is **blue**.' }))
    try {
      await connectModel(page, api.url)
      await newConversation(page)
      await page.evaluate(() => {
        navigator.clipboard.writeText = async (text) => void Object.assign(window, { copied: text })
      })
      const copied = () => page.evaluate(() => Reflect.get(window, 'copied'))
      const act = (name: string) => reply(page).getByRole('button', { name, exact: true })
      await send(page, 'what can you do?')
      await expect(retry(page)).toBeVisible()
      const more = async (item: RegExp) => {
        await act('More about this reply').click()
        await page.getByRole('menuitem', { name: item }).click()
      }
      await more(/^Retry with another model/)
      await page.getByRole('combobox', { name: 'Search models' }).fill('sonnet')
      await expectNoFaults(page)
      await page.keyboard.press('Enter')
      await expect(reply(page)).toContainText('It is blue.')
      await expect(retry(page)).toBeVisible()
      await act('Copy').click()
      await expect.poll(copied).toBe('It is **blue**.')
      await more(/^Copy as plain text/)
      await expect.poll(copied).toBe('It is blue.')
      const asked = api.requests.length
      await act('Retry').click()
      await expect.poll(() => api.requests.length).toBe(asked + 1)
      await expect(retry(page)).toBeEnabled()
      const versions = reply(page).getByRole('group', { name: 'Versions' })
      await expect(versions).toContainText('3/3')
      await versions.getByRole('button', { name: 'Previous version' }).click()
      await expect(versions).toContainText('2/3')
      await page.keyboard.press('ArrowLeft')
      await expect(versions).toContainText('1/3')
      const previous = versions.getByRole('button', { name: 'Previous version' })
      await expect(previous).toBeFocused()
      // A message clips what is drawn outside of it.
      await expect(previous).toHaveCSS('outline-offset', '-2px')
      await expect(page.getByText(/^Version 1 of 3, Demo/)).toBeAttached()
      await act('Fork').click()
      await expect(page.getByText('Forked')).toBeVisible()
      await expect(reply(page)).toContainText('I am the Demo model.')
    } finally {
      await api.close()
    }
  })
  await test.step('a file that is dropped where nothing takes it does not take the page’s place', async () => {
    await goTo(page, 'Settings')
    const kept = await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'x.txt'))
      return ['dragover', 'drop'].map(
        (kind) => !document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true })),
      )
    })
    expect(kept).toEqual([true, true])
  })
})
