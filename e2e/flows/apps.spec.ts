import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoFaults } from '../shells/axe.ts'
import { DoubleShell } from '../shells/double-shell.ts'
import { press } from '../shells/press.ts'
import { expect } from '../shells/shell-test.ts'
import { watchPage } from '../shells/watch-page.ts'
import { test } from './frame-steps.ts'
import { typeInto, walkTo } from './keyboard-steps.ts'
import {
  addTrustedServer,
  answer,
  card,
  consent,
  expectServerState,
  expectShown,
  expectStatus,
  goTo,
  newConversation,
  send,
  server,
  serverRow,
} from './steps.ts'

const app = { name: 'app', args: [server('small/app.mjs')] }
const view = (page: Page, tool: string) => page.getByRole('region', { name: `View of app: ${tool}` })

/** The layer over a view goes for a pointer, but a click that comes with it is for the layer. */
async function pointTo(page: Page, tool: string): Promise<void> {
  await view(page, tool).hover()
  await expect(view(page, tool).locator('.app-view-shield')).toHaveCount(0)
}

/** Runs a tool of the server with views, and returns what its view shows. */
async function shown(page: Page, tool: string, args = '') {
  await newConversation(page)
  return shownBeside(page, tool, args)
}

/** The same, in the conversation that is open. */
async function shownBeside(page: Page, tool: string, args = '') {
  await send(page, `use app/${tool} ${args}`)
  await answer(page, 'Allow once')
  await expectStatus(card(page, tool), 'Finished')
  return view(page, tool).frameLocator('iframe')
}

test.describe('a view of a tool’s result', () => {
  // The browser tells in the console what it blocks in a frame.
  test.use({
    expectedFaults: /Content Security Policy|sandbox|ERR_BLOCKED_BY|[Pp]ermissions policy|Unsafe attempt|Refused to connect/,
  })

  test('shows input and result, asks before it calls, opens links and writes only on a click, and is replayed without its server (APP-15, APP-22, APP-35)', async ({
    shell,
    page,
  }) => {
    await addTrustedServer(shell, app)
    const inside = await shown(page, 'show')
    await expect(inside.getByText('Result: show {}')).toBeVisible()
    await expect(inside.getByText('light 2026-01-26')).toBeVisible()
    await expectNoFaults(page)

    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(inside.locator('#told')).toHaveText('dark')
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await expect(inside.locator('#told')).toHaveText('light')
    expect(await inside.locator('body').evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches)).toBe(true)

    await test.step('asks for a call of its own server, and is told of a denial', async () => {
      await inside.getByRole('button', { name: 'Save' }).click()
      await expect(consent(page)).toContainText('A view of this server asks for it, not the model.')
      await expect(consent(page)).toContainText('The app of app asks.')
      await expect(consent(page).getByRole('button', { name: 'Allow while the view is open' })).toHaveCount(0)
      await expectNoFaults(page)
      await answer(page, 'Deny')
      await expect(inside.locator('#said')).toContainText('Denied. Nothing was sent.')
      // The click that denied counts as use of the page for a while, but not as one of the view.
      const said = inside.locator('#said')
      await expect(async () => {
        await said.evaluate((element) => element.replaceChildren())
        await inside.getByRole('button', { name: 'Read' }).click()
        await expect.poll(async () => (await consent(page).count()) > 0 || (await said.textContent()) !== '').toBe(true)
        expect(await consent(page).count()).toBe(1)
      }).toPass()
      await press(consent(page).getByRole('button', { name: 'Allow while the view is open' }))
      await expect(inside.locator('#said')).toContainText('get_rows {')
      await inside.getByRole('button', { name: 'Read' }).click()
      await expect(consent(page)).toHaveCount(0)
      await card(page, 'show').getByText('3 calls of this app').click()
      await expectStatus(card(page, 'show').getByRole('group', { name: 'Tool call: save' }).first(), 'Declined')
      await inside.getByRole('button', { name: 'Call another' }).click()
      await expect(inside.locator('#said')).toContainText('Its server has no tool “echo” for views.')
      await inside.getByRole('button', { name: 'Call what models alone may' }).click()
      await expect(inside.locator('#said')).toContainText('“model-only”')
    })
    await test.step('is used right after the person typed elsewhere', async () => {
      const composer = page.getByRole('main').getByRole('textbox').last()
      await composer.click()
      await typeInto(composer, 'half a sent')
      await pointTo(page, 'show')
      await inside.getByRole('button', { name: 'Call another' }).click()
      await expect(inside.getByRole('button', { name: 'Call another' })).toBeFocused()
      await composer.fill('')
    })
    await test.step('puts a text before the person, and asks before a link', async () => {
      await pointTo(page, 'show')
      await inside.getByRole('button', { name: 'Write a message' }).click()
      await expect(page.getByRole('main').getByRole('textbox')).toHaveValue('Written by the view')
      await inside.getByRole('button', { name: 'Open a link' }).click()
      const question = page.getByRole('dialog', { name: 'Open this link?' })
      await expect(question).toContainText('example.com')
      await question.getByRole('button', { name: 'Cancel' }).click()
    })
    await test.step('tells the model what the person sees and can remove', async () => {
      await inside.getByRole('button', { name: 'Tell the model' }).click()
      const told = page.getByRole('list', { name: 'Attached to your message' })
      await expect(told).toContainText('From the app of app')
      await expectNoFaults(page)
      await told.getByRole('button', { name: 'Remove From the app of app' }).click()
      await expect(told).toHaveCount(0)
    })
    await test.step('has the title of its tool, and Tab enters and leaves it', async () => {
      const frame = view(page, 'show').getByTitle('app: show')
      await view(page, 'show').getByRole('button', { name: 'Stop' }).focus()
      await page.keyboard.press('Tab')
      await expect(frame).toBeFocused()
      const afterTab = async () => {
        await page.keyboard.press('Tab')
        return frame.evaluate((one) => one === (one.getRootNode() as ShadowRoot).activeElement)
      }
      await expect.poll(afterTab, { intervals: [0] }).toBe(false)
      await expect(frame).toBeVisible()
    })
    await test.step('is reached by keys from the composer, used, and left again', async () => {
      const composer = page.getByRole('main').getByRole('textbox').last()
      const button = inside.getByRole('button', { name: 'Call another' })
      await inside.locator('#said').evaluate((said) => {
        said.textContent = ''
        // A page keeps the focus of its own document while another has the keyboard.
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      })
      await composer.focus()
      await walkTo(page, button, 'Shift+Tab')
      await page.keyboard.press('Enter')
      await expect(inside.locator('#said')).toContainText('Its server has no tool “echo” for views.')
      await walkTo(page, composer)
      await typeInto(composer, 'back')
      await expect(composer).toHaveValue(/back$/)
    })
    await test.step('becomes larger for a click, and Escape leaves', async () => {
      await pointTo(page, 'show')
      await inside.getByRole('button', { name: 'Larger' }).click()
      await expect(page.getByRole('button', { name: 'Back to the conversation' })).toBeVisible()
      // As large as the conversation, and in front of it: neither a title nor the composer is under it.
      const [own, ofMessages] = await Promise.all([
        view(page, 'show').boundingBox(),
        page.getByRole('region', { name: 'Messages' }).boundingBox(),
      ])
      expect(own).toEqual(ofMessages)
      await expectNoFaults(page)
      await page.getByRole('button', { name: 'Back to the conversation' }).press('Escape')
      const larger = view(page, 'show').getByRole('button', { name: 'Larger' })
      await larger.press('Enter')
      await expect(page.getByRole('button', { name: 'Back to the conversation' })).toBeVisible()
      // Keys in the view are heard there alone.
      await view(page, 'show').getByRole('button', { name: 'Stop' }).focus()
      await page.keyboard.press('Tab')
      await expect(view(page, 'show').getByTitle('app: show')).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(larger).toBeVisible()
    })
    await test.step('is kept in sight in a corner of the messages, while the person writes', async () => {
      await view(page, 'show').getByRole('button', { name: 'Pin' }).press('Enter')
      const back = view(page, 'show').getByRole('button', { name: 'Back to the conversation' })
      await expect(back).toBeFocused()
      const composer = page.getByRole('main').getByRole('textbox').last()
      await composer.focus()
      await typeInto(composer, ' still')
      await expect(composer).toHaveValue(/still$/)
      await expect(inside.getByText('Result: show {}')).toBeInViewport()
      const [own, all] = await Promise.all([
        view(page, 'show').boundingBox(),
        page.getByRole('region', { name: 'Messages' }).boundingBox(),
      ])
      if (!own || !all) throw new Error('The view or the messages are not there.')
      expect(own.x).toBeGreaterThan(all.x + all.width / 3)
      expect(own.x + own.width).toBeLessThanOrEqual(all.x + all.width)
      expect(own.y).toBeGreaterThanOrEqual(all.y)
      expect(own.height).toBeLessThanOrEqual(all.height / 2)
      await expectNoFaults(page)
      await composer.fill('')
      await back.press('Enter')
      await expect(view(page, 'show').getByRole('button', { name: 'Pin' })).toBeVisible()
    })
    await writeFile(join(shell.folder, 'mcp.json'), '{"mcpServers":{}}')
    const again = await shell.restart()
    await again.getByRole('region', { name: 'Conversation list' }).getByRole('link', { name: 'use app/show' }).click()
    const replayed = view(again, 'show')
    await expect(replayed.locator('iframe')).toHaveCount(0)
    await replayed.getByRole('button', { name: 'Open the view' }).click()
    await expect(replayed.frameLocator('iframe').getByText('Result: show {}')).toBeVisible()
    await expect(replayed).toContainText('Its server is not connected.')
    await replayed.frameLocator('iframe').getByRole('button', { name: 'Save' }).click()
    await expect(replayed.frameLocator('iframe').locator('#said')).toContainText('not connected')
  })

  test('loads from other hosts only with the person’s consent, and names what was blocked (APP-8, APP-24, APP-29)', async ({
    shell,
    kind,
    page,
  }) => {
    await addTrustedServer(shell, app)
    await shown(page, 'network')
    const network = view(page, 'network')
    await expect(network).toContainText('api.example.com, *.cdn.example.com')
    await expect(network.getByText(/WebRTC/)).toHaveCount(kind === 'web' ? 1 : 0)
    await expect(network.locator('iframe')).toHaveCount(0)
    await expectNoFaults(page)
    await network.getByRole('button', { name: 'Without network' }).click()
    await expect(network.frameLocator('iframe').getByText('Result: network {}')).toBeVisible()
    await expect(network.getByText(/^Blocked/)).toBeVisible()
    await network.getByText(/^Blocked/).click()
    await expect(network.getByRole('listitem')).toHaveText([
      'a request to blocked.example.org',
      'the address https://x.example.com; script-src *',
      'the address https://127.0.0.1',
    ])
    await expect(network).toContainText(/^App.*app/)
    expect(
      await network
        .frameLocator('iframe')
        .locator('body')
        .evaluate(() => self.origin),
    ).toBe('null')
    await network.getByRole('button', { name: 'Stop' }).click()
    await network.getByRole('button', { name: 'Open again' }).click()
    await expect(network.frameLocator('iframe').getByText('Result: network {}')).toBeVisible()
    await network.getByRole('button', { name: 'Network …' }).click()
    await press(network.getByRole('button', { name: 'Let it load' }))
    await expect(network.getByText('Loads from 2 addresses')).toBeVisible()
    await newConversation(page)
    await send(page, 'use app/none')
    await answer(page, 'Allow once')
    await expect(page.getByRole('main')).toContainText('No view:')

    await goTo(page, 'Servers')
    await serverRow(page, 'app').getByRole('link').first().click()
    await page.getByRole('switch', { name: 'Apps' }).click()
    await page.reload()
    await expect(page.getByRole('switch', { name: 'Apps' })).not.toBeChecked()
    await expectServerState(page, 'app', 'Ready')
    await newConversation(page)
    await send(page, 'use app/show')
    await answer(page, 'Allow once')
    await expectStatus(card(page, 'show'), 'Finished')
    await expectShown(page, 'show', 'show {}')
    await expect(page.getByRole('region', { name: /^View of/ })).toHaveCount(0)
  })

  test('gets nothing by attacks, and takes no key typed elsewhere (APP-5, APP-14, APP-30)', async ({ shell, page, canary }) => {
    await addTrustedServer(shell, app)
    // The browser tells of requests before the policy refuses them; the canary tells of those that were made.
    const seen = watchPage(page, () => true)
    const another = await shown(page, 'show')
    const inside = await shownBeside(page, 'hostile', `{"url":"${canary.url}"}`)
    const outcome = async (id: string): Promise<Record<string, string>> => {
      await expect(inside.locator(id)).not.toBeEmpty()
      return JSON.parse((await inside.locator(id).textContent()) ?? '')
    }
    const address = page.url()
    const attacks = await outcome('#said')
    await inside.getByRole('button', { name: 'Go on' }).click()
    const clicked = await outcome('#clicked')
    const outcomes = Object.entries({ ...attacks, ...clicked })
    expect(outcomes.map(([name]) => name).sort()).toEqual(ATTACKS.map(([name]) => name).sort())
    const unanswered = Object.entries(attacks)
      .concat(Object.entries(clicked))
      .filter(([, came]) => !came.startsWith('refused'))
    expect(unanswered.filter(([name]) => !SILENT.includes(name))).toEqual([])
    expect([...canary.called, ...seen]).toEqual([])
    expect(page.url()).toBe(address)
    await expect(another.getByText('Result: show {}')).toBeVisible()
    await expect(view(page, 'hostile').locator('iframe')).toHaveAttribute('height', '800')
    // Messages of one view are no other’s, whose place they would fill and whose card they would be named on.
    await expect(view(page, 'show').locator('iframe')).not.toHaveAttribute('height', '800')
    await expect(view(page, 'show').getByText(/^Blocked/)).toHaveCount(0)
    // Its page takes the focus each tenth of a second from here on.
    await inside.getByRole('button', { name: 'Take the keys' }).click()
    const composer = page.getByRole('main').getByRole('textbox').last()
    await composer.click()
    await expect(view(page, 'hostile')).toContainText('The view was stopped because it took the keyboard.')
    await expect(composer).toBeFocused()
    await typeInto(composer, 'my secret words')
    await expect(composer).toHaveValue('my secret words')
    // The card names them although the view is gone.
    await view(page, 'hostile')
      .getByText(/^Blocked: \d+ requests to 127\.0\.0\.1/)
      .click()
    await expectNoFaults(page)
    const listed = (await view(page, 'hostile').getByRole('listitem').allTextContents()).map((one) => one.replace(/\d+/g, 'n'))
    const named = (as: string) => listed.some((one) => one.startsWith(as) || one.startsWith(`n ${as}`))
    expect(ATTACKS.filter(([, as]) => typeof as === 'string' && !named(as))).toEqual([])
  })

  test('ends with a reason when it leaves, floods or freezes, and the page and the other views continue (APP-27, APP-28)', {
    tag: '@long',
  }, async ({ shell, page }) => {
    await addTrustedServer(shell, app)
    const composer = page.getByRole('main').getByRole('textbox').last()
    await shown(page, 'ends')
    const ends = view(page, 'ends')
    const does = async (act: string) => {
      // A click before the script of the page has run does nothing.
      await expect(ends.frameLocator('iframe').locator('#told')).not.toBeEmpty()
      await ends.frameLocator('iframe').getByRole('button', { name: act }).click()
    }
    const left = 'The view left its page and was stopped.'
    for (const [act, reason] of [
      // The desktop's window keeps a frame from pages of ours, so that the view is there for the next act.
      ['Leave', shell instanceof DoubleShell ? undefined : left],
      ['Refresh', left],
      ['Submit', left],
      ['Flood', 'The view sent too many messages and was stopped.'],
    ] as const) {
      await does(act)
      if (reason === undefined) continue
      await expect(ends).toContainText(reason)
      await ends.getByRole('button', { name: 'Open again' }).click()
    }
    await does('Stay')
    await expect(ends.frameLocator('iframe').getByText('stays')).toBeVisible()
    await ends.getByRole('button', { name: 'Stop' }).click()
    const sibling = await shownBeside(page, 'show')
    await ends.getByRole('button', { name: 'Open again' }).click()
    // Each runs in a process of its own: the page and the other views go on.
    await does('Freeze')
    await expect(ends.frameLocator('iframe').getByText('frozen')).toBeVisible()
    await sibling.getByRole('button', { name: 'Call another' }).click()
    await expect(sibling.locator('#said')).toContainText('Its server has no tool “echo” for views.')
    await composer.click()
    await typeInto(composer, 'still here')
    await expect(ends).toContainText('The view did not respond and was stopped.')
    await expect(ends.locator('iframe')).toHaveCount(0)
    await expect(composer).toHaveValue('still here')
    await ends.getByRole('button', { name: 'Open again' }).click()
    await expect(ends.frameLocator('iframe').getByText('Result: ends {}')).toBeVisible()
    await expect(sibling.getByText('Result: show {}')).toBeVisible()
  })
})

/** Why no card names an attack. */
const UNSEEN = {
  exception: 'The browser throws in the view, and tells nobody else.',
  nobody: 'It reaches nobody.',
  bounded: 'It is done within bounds.',
} as const

/** Each attack of the hostile page, and what the card calls it, or why it cannot. */
const ATTACKS: readonly (readonly [attack: string, named: string | { readonly unseen: keyof typeof UNSEEN }])[] = [
  ...['parent', 'top', 'navigate top', 'a script in top', 'its domain', 'shared memory'].map(
    (name) => [name, { unseen: 'exception' }] as const,
  ),
  ...['channel to other pages', 'other views', 'history', 'preconnect', 'speculation'].map(
    (name) => [name, { unseen: 'nobody' }] as const,
  ),
  ...['-1', 'NaN', '1e9', '1000000000'].map((height) => [`a height of ${height}`, { unseen: 'bounded' }] as const),
  ...['storage', 'storage of the session', 'database', 'cookie', 'caches', 'files of the origin'].map(
    (name) => [name, 'uses of storage'] as const,
  ),
  ...[
    'fetch elsewhere',
    'fetch the host',
    'its own page again',
    'beacon',
    'socket of the host',
    'socket',
    'events',
    'frame',
    'object',
  ].map((name) => [name, 'requests to'] as const),
  ...['image', 'script', 'module', 'style', 'prefetch', 'video', 'import of a style', 'picture of a style', 'base', 'form'].map(
    (name) => [name, 'requests to'] as const,
  ),
  ...['worker from elsewhere', 'worker that fetches'].map((name) => [name, 'requests to'] as const),
  ...['service worker', 'shared worker'].map((name) => [name, 'workers'] as const),
  ...['alert', 'question', 'print'].map((name) => [name, 'dialogs'] as const),
  ['popup', 'windows'],
  ['a link to a new window', 'windows'],
  ['a link to the top', 'a link over the whole page'],
  ['a download', 'a download'],
  ['notices', 'a use of notifications'],
  ['clipboard', 'uses of the clipboard (reading)'],
  ['write the clipboard', 'uses of the clipboard (writing)'],
  ['camera', 'a use of the camera'],
  ['screen', 'uses of the screen'],
  ['location', 'a use of your location'],
  ['fullscreen by itself', 'uses of the full screen'],
  ['fullscreen', 'uses of the full screen'],
  ['the pointer', 'uses of the pointer'],
  ['a file of the person', 'a use of your files'],
  ['another initialize', 'a request for ui/initialize'],
  ['sampling', 'a request for sampling/createMessage'],
  ['a forged notice of the host', 'a request for ui/notifications/tool-result'],
  ['a port', 'a request for x'],
  ['another server’s tool', 'a call of ok__echo'],
  ['a tool for models', 'a call of model-only'],
  ['a file', 'a reading of file:///etc/passwd'],
  ...['a link without a click', 'a script link'].map((name) => [name, 'links'] as const),
  ['a message without a click', 'a text'],
  ['fullscreen without a click', 'a larger size'],
  ...['a tool without a name', 'forged answers', 'no JSON', 'its prototype'].map((name) => [name, 'wrong messages'] as const),
]

/** Attempts that tell the page nothing; what came of them is looked at from outside. */
const SILENT = [
  ...['video', 'preconnect', 'frame', 'object', 'speculation', 'form', 'channel to other pages'],
  ...['alert', 'question', 'print', 'history', 'forged answers', 'a forged notice of the host', 'no JSON', 'a port'],
  ...['a height of -1', 'a height of NaN', 'a height of 1e9', 'a height of 1000000000', 'its prototype'],
  ...['a link to a new window', 'a link to the top', 'a download'],
]
