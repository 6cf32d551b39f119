import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { atHome } from '../shells/at-home.ts'
import { expectNoFaults } from '../shells/axe.ts'
import { press } from '../shells/press.ts'
import type { RunningShell } from '../shells/running-shell.ts'
import { test as base, expect } from '../shells/shell-test.ts'
import { walkTo } from './keyboard-steps.ts'
import { expectPatience } from './resting-pointer.ts'
import { expectServerState, goTo, official, serverRow } from './steps.ts'

const SECRET = 'key-of-the-memory-server'
const NAMES = ['everything', 'memory', 'filesystem']

/** A configuration of Claude Desktop with real servers in it. */
function claudeDesktop(home: string) {
  const node = (args: readonly string[], env = {}) => ({ command: process.execPath, args, env })
  return {
    globalShortcut: 'Alt+Space',
    mcpServers: {
      everything: node([official('server-everything'), 'stdio']),
      memory: node([official('server-memory')], { MEMORY_FILE_PATH: join(home, 'memory.jsonl'), MEMORY_API_KEY: SECRET }),
      filesystem: node([official('server-filesystem'), home]),
    },
    preferences: { menuBarEnabled: false },
  }
}

/** A shell of somebody who has used Claude Desktop. */
const test = base.extend({
  shellOptions: async ({ tempFolder: home }, use) => {
    const folder = join(home, '.config', 'Claude')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'claude_desktop_config.json'), JSON.stringify(claudeDesktop(home), null, 2))
    await use({ env: atHome(home) })
  },
})

const several = (page: Page) => page.getByRole('dialog', { name: /^(Start|Connect to) these \d+ servers\?$/ })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const entries = async ({ folder }: RunningShell) => JSON.parse(await readFile(join(folder, 'mcp.json'), 'utf8')).mcpServers

/** Counts what a person clicks from now on. */
async function countingClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { clicks: 0 })
    document.addEventListener(
      'click',
      ({ isTrusted }) => isTrusted && Object.assign(window, { clicks: Reflect.get(window, 'clicks') + 1 }),
      true,
    )
  })
  return () => page.evaluate<number>(() => Reflect.get(window, 'clicks'))
}

test('an import takes at most four clicks from a Claude Desktop configuration to running servers', async ({
  shell,
  page,
  kind,
}) => {
  const clicks = await countingClicks(page)
  await page.getByRole('button', { name: 'Import 3 servers from Claude Desktop' }).click()
  const origin = page.getByRole('region', { name: 'Claude Desktop' })
  await expect(origin.getByRole('checkbox', { checked: true })).toHaveCount(3)
  await expect(origin).toContainText('1 key goes to the secret store: MEMORY_API_KEY')
  await expect(page.getByText(SECRET)).toHaveCount(0)
  await expectNoFaults(page)

  await press(page.getByRole('button', { name: 'Add 3 servers' }))
  const question = several(page)
  for (const name of NAMES) await expect(question.getByRole('checkbox', { name, checked: true })).toBeVisible()
  for (const name of ['server-everything', 'server-memory', 'server-filesystem']) await expect(question).toContainText(name)
  await expectNoFaults(page)
  await shell.trustServer('allow')
  for (const name of NAMES) await expect(serverRow(page, name)).toContainText('Ready')
  // The desktop app has one box of its own for all of them.
  expect((await clicks()) + (kind === 'electron' ? 1 : 0)).toBeLessThanOrEqual(4)

  expect(Object.keys(await entries(shell))).toEqual(NAMES)
  expect(JSON.stringify(await entries(shell))).not.toContain(SECRET)
  await goTo(page, 'Servers')
  await page.getByRole('button', { name: 'Import servers' }).click()
  await expect(page.getByText('Already here')).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Add servers' })).toBeDisabled()
})

test('reviewed servers are not added by clicks of a resting pointer', { tag: '@long' }, async ({ shell, page }) => {
  test.skip(shell.kind !== 'web', 'the desktop asks in a box of its own')
  await page.getByRole('button', { name: 'Import 3 servers' }).click()
  await expectPatience(page, page.getByRole('button', { name: 'Add 3 servers' }))
  await expect(several(page)).toBeVisible()
})

test('servers are imported, one of them denied, and all removed again by keyboard alone', async ({ shell, page }) => {
  await page.evaluate(() =>
    new MutationObserver((_seen, observer) => {
      const add = document.querySelector('.import-form button[type=submit]')
      if (!(add instanceof HTMLButtonElement)) return
      observer.disconnect()
      Object.assign(window, { heldAtFirst: add.ariaDisabled === 'true' })
    }).observe(document.body, { childList: true, subtree: true }),
  )
  await walkTo(page, page.getByRole('button', { name: 'Import 3 servers' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(title(page, 'Import servers')).toBeFocused()
  // The row that moved under the pointer is not added by it.
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'heldAtFirst'))).toBe(true)
  await expect(page.getByRole('button', { name: 'Add 3 servers' })).toBeEnabled()
  const box = page.getByRole('checkbox', { name: 'everything' })
  await walkTo(page, box)
  await page.keyboard.press('Enter')
  const question = several(page)
  await expect(question.getByRole('button', { name: 'Deny' })).toBeFocused()
  await walkTo(page, question.getByRole('checkbox', { name: 'memory' }), 'Shift+Tab')
  await page.keyboard.press('Space')
  await expect(question.getByRole('button', { name: 'Allow 2 of 3' })).toBeEnabled()
  await shell.allowInBox()
  await page.keyboard.press('Control+Enter')
  await expect(serverRow(page, 'everything')).toContainText('Ready')
  await expect(serverRow(page, 'filesystem')).toContainText('Ready')
  await expect(serverRow(page, 'memory')).toContainText('Not allowed')
  const undo = page.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' })
  await walkTo(page, undo, 'Shift+Tab')
  await page.keyboard.press('Enter')
  for (const name of NAMES) await expect(serverRow(page, name)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Servers' })).toBeFocused()
  expect(await entries(shell)).toEqual({})
})

const drop = (page: Page, text: string, name: string) =>
  page.evaluate(
    (file) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([file.text], file.name))
      for (const kind of ['dragenter', 'drop'])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
    },
    { text, name },
  )

/** As VS Code has it, with an entry that is none and one whose name is taken. */
const PASTED = {
  inputs: [{ type: 'promptString', id: 'key', description: 'Search key', password: true }],
  servers: {
    search: { command: 'no-such-program-here', env: { SEARCH_KEY: '$' + '{input:key}' } },
    'far away': { url: 'http://127.0.0.1:9/mcp' },
    broken: { command: 5 },
    taken: { command: 'another-program' },
  },
}

test('a pasted or dropped configuration is reviewed as a whole, and exported to another app without its secrets', {
  tag: '@long',
}, async ({ shell, page }) => {
  const taken = { command: 'no-such-program-here', args: ['taken'], disabled: true }
  await writeFile(join(shell.folder, 'mcp.json'), JSON.stringify({ mcpServers: { taken } }))
  await expectServerState(page, 'taken', 'Off')
  const paste = (target: Locator, text: string) =>
    target.evaluate((field, given) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', given)
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  // A command is one server: it fills the form.
  await paste(page.getByRole('main'), 'npx -y some-server')
  const editor = page.getByRole('dialog', { name: 'Add server' })
  await expect(editor.getByRole('textbox', { name: 'Arguments' })).toHaveValue('-y some-server')
  // One paste into the form takes several servers to their review.
  await paste(editor.getByRole('textbox', { name: 'Name' }), JSON.stringify(PASTED))
  await expect(title(page, 'Import servers')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add 3 servers' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Cannot be imported' })).toContainText('broken')
  await expect(page.getByText('Name taken')).toBeVisible()
  await page.setViewportSize({ width: 700, height: 820 })
  // A file that is dropped in the meantime waits.
  await drop(page, '{"mcpServers": {"later": {"command": "no-such-program-here"}}}', 'later.json')
  await expect(page.getByText('1 more waiting')).toBeVisible()
  await expectNoFaults(page)

  await press(page.getByRole('button', { name: 'Add 3 servers' }))
  const key = page.getByRole('textbox', { name: 'Search key' })
  await expect(key).toBeFocused()
  await expect(key).toHaveAccessibleDescription(/Required/)
  await key.fill('s3cret-of-search')
  const name = page.getByRole('textbox', { name: 'Name of taken in Parley' })
  await name.fill('taken')
  await expect(name).toHaveAccessibleDescription(/A server with this name exists/)
  await name.fill('other')
  await press(page.getByRole('button', { name: 'Add 3 servers' }))
  await expect(several(page)).toContainText('Not found on this computer')
  await several(page).getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('dialog', { name: 'Connect to this server?' }).getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByText('From later.json.')).toBeVisible()
  await expect(page.getByText('1 more waiting')).toHaveCount(0)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(title(page, 'Servers')).toBeVisible()
  const written = await entries(shell)
  expect(written.taken).toEqual(taken)
  expect(Object.keys(written)).toEqual(['taken', 'search', 'far away', 'other'])
  expect(JSON.stringify(written)).not.toContain('s3cret-of-search')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Export servers' }).click()
  const exported = page.getByRole('dialog', { name: 'Export 4 servers' })
  await exported.getByRole('combobox', { name: 'For' }).selectOption('VS Code')
  await expect(exported).toContainText('"servers"')
  await expect(exported).toContainText('SEARCH_KEY')
  await expect(exported).not.toContainText('s3cret-of-search')
  await expectNoFaults(page)
  await page.keyboard.press('Escape')

  await drop(page, '{"mcpServers": {}}', 'theirs.json')
  await expect(page.getByText('From theirs.json.')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText('It has no servers.')
})
