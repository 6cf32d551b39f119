import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoFaults } from '../shells/axe.ts'
import type { DoubleShell } from '../shells/double-shell.ts'
import { press } from '../shells/press.ts'
import type { RunningShell } from '../shells/running-shell.ts'
import { expect, test } from '../shells/shell-test.ts'
import { NOTES, notesBundle } from '../support/bundle.ts'
import { Registry } from '../support/registry.ts'
import { typeInto, walkTo } from './keyboard-steps.ts'
import { card, consent, expectShown, goTo, serverRow } from './steps.ts'

async function file(folder: string, name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const { mcp_config: launch } = NOTES.server
/** With a setting that is a file. */
const WITH_FILE = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the format
  server: { ...NOTES.server, mcp_config: { ...launch, env: { ...launch.env, NOTES_LIST: '${user_config.list}' } } },
  user_config: { ...NOTES.user_config, list: { type: 'file', title: 'List' } },
}

/** Chooses a file for a setting by keyboard: in the system's dialog on the desktop, in the page's elsewhere. */
async function chooseFile(shell: RunningShell, kind: string, setting: string, path: string): Promise<void> {
  const { page } = shell
  if (kind === 'electron') await (shell as DoubleShell).order({ do: 'answer-folder-dialog', path })
  await walkTo(page, page.getByRole('button', { name: `Choose … ${setting}` }))
  await page.keyboard.press('Enter')
  if (kind === 'electron') return
  const picker = page.getByRole('dialog', { name: 'Choose a file' })
  const place = picker.getByRole('textbox', { name: 'Folder' })
  await walkTo(page, place)
  await page.keyboard.press('ControlOrMeta+A')
  await typeInto(place, dirname(path))
  await page.keyboard.press('Enter')
  await walkTo(page, picker.getByRole('button', { name: basename(path) }))
  await expectNoFaults(page)
  await page.keyboard.press('Enter')
}

/** Drops a file on the window. */
async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  await page.evaluate(
    (file) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([new Uint8Array(file.bytes)], file.name))
      for (const kind of ['dragenter', 'drop'])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
    },
    { bytes: [...content], name },
  )
}

/** Gives a file to “Install from file …” in the menu of the servers. */
async function install(page: Page, path: string): Promise<void> {
  await goTo(page, 'Servers')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Install from file …' }).click()
  await (await chooser).setFiles(path)
}

test('a bundle is installed from its file to its first call by keyboard alone, and nothing runs before (MCPB-1, MCPB-23)', async ({
  shell,
  kind,
  page,
  tempFolder,
}) => {
  const path = await file(tempFolder, 'notes.mcpb', notesBundle(WITH_FILE))
  const rail = page.getByRole('navigation', { name: 'Main' })
  await walkTo(page, rail.getByRole('link', { name: 'Servers' }))
  await page.keyboard.press('Enter')
  const menu = page.getByRole('button', { name: 'More actions' })
  await walkTo(page, menu)
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Install from file …' })).toBeFocused()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(path)

  await expect(page.getByRole('heading', { level: 1, name: 'Install a server' })).toBeFocused()
  const review = page.getByRole('region', { name: 'Published server' })
  await expect(review).toContainText('Ann')
  await expect(review).toContainText('notes.mcpb')
  await expect(review.getByText(/^[0-9a-f]{64}$/)).toBeVisible()
  await expect(review).toContainText('it can do whatever you can do on this computer')
  await expect(review).not.toContainText('--tag')
  await expectNoFaults(page)

  const folders = page.getByRole('textbox', { name: 'Folders' })
  await walkTo(page, folders)
  await typeInto(folders, `${tempFolder}`)
  const list = page.getByRole('textbox', { name: 'List' })
  await chooseFile(shell, kind, 'List', path)
  await expect(list).toHaveValue(path)
  const tag = page.getByRole('textbox', { name: 'Tag' })
  await walkTo(page, tag)
  await typeInto(tag, '-x')
  await page.keyboard.press('Enter')
  await expect(page.getByText('It begins with “-”, so the program would take it as an option.')).toBeVisible()
  await expect(folders).not.toHaveAttribute('aria-invalid', 'true')
  const key = page.getByRole('textbox', { name: 'Key' })
  await expectNoFaults(page)
  await walkTo(page, tag, 'Shift+Tab')
  await page.keyboard.press('ControlOrMeta+A')
  await typeInto(tag, 'urgent only')
  await walkTo(page, key)
  await typeInto(key, 'secret-of-ann')
  await expect(review).toContainText('--tag')
  await page.keyboard.press('Enter')

  const question = page.getByRole('dialog', { name: 'Start this server?' })
  await expect(question).toContainText('server/index.mjs')
  await expect(question.getByRole('button', { name: 'Deny' })).toBeFocused()
  await expect(question.getByRole('button', { name: 'Allow', exact: true })).toBeEnabled()
  await shell.allowInBox()
  await page.keyboard.press('Control+Enter')
  await expect(serverRow(page, 'Notes')).toContainText('Ready')
  const { mcpServers } = JSON.parse(await readFile(join(shell.folder, 'mcp.json'), 'utf8'))
  expect(JSON.stringify(mcpServers)).not.toContain('secret-of-ann')

  await walkTo(page, rail.getByRole('link', { name: 'Conversations' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await walkTo(page, page.getByRole('button', { name: 'New conversation' }).first())
  await page.keyboard.press('Enter')
  await typeInto(page.getByRole('textbox', { name: 'Message' }), 'use Notes/tell')
  await page.keyboard.press('Enter')
  await expect(consent(page).getByRole('button', { name: 'Deny' })).toBeFocused()
  await expect(consent(page).getByRole('button', { name: 'Allow once' })).toBeEnabled()
  await expectNoFaults(page)
  await page.keyboard.press('Control+Enter')
  await expectShown(page, 'tell', /urgent only/)
  await expect(card(page, 'tell')).toContainText('secret-of-ann')
  await expectNoFaults(page)
})

test('a bundle that cannot be used says why, and another version of one updates its server (MCPB-3, MCPB-7, MCPB-18)', {
  tag: '@long',
}, async ({ shell, page, tempFolder }) => {
  await install(page, await file(tempFolder, 'broken.mcpb', notesBundle().subarray(0, -3)))
  await expect(page.getByRole('heading', { name: 'This cannot be installed' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('It is not a bundle')
  await expectNoFaults(page)

  const optional = {
    user_config: {
      dirs: { type: 'directory', title: 'Folders', multiple: true },
      tag: { type: 'string', title: 'Tag' },
      key: { type: 'string', title: 'Key', sensitive: true },
    },
  }
  await drop(page, 'notes.mcpb', notesBundle(optional))
  await expect(page.getByRole('region', { name: 'Published server' })).toContainText('notes.mcpb')
  await press(page.getByRole('button', { name: 'Add 1 server' }))
  await shell.trustServer('allow')
  await expect(serverRow(page, 'Notes')).toContainText('Ready')
  const newer = { ...optional, version: '2.0.0', tools: [{ name: 'tell' }, { name: 'burn' }] }
  await install(page, await file(tempFolder, 'newer.mcpb', notesBundle(newer)))
  await expect(page.getByText('Its version was 1.2.0 and is now 2.0.0.')).toBeVisible()
  await expect(page.getByText('The tool burn is new.')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Update “Notes”' })).toBeChecked()
  await expectNoFaults(page)
  await press(page.getByRole('button', { name: 'Update 1 server' }))
  const question = page.getByRole('dialog', { name: 'Start this server?' })
  await expect(question).toContainText('changed since you allowed it')
})

test('a server is found in a registry, installed, updated and put back, each after a review (REG-6, REG-18, MCPB-18)', async ({
  shell,
  page,
}) => {
  await using registry = await Registry.serve()
  const optional = { user_config: {}, server: { type: 'node', mcp_config: { command: 'node', args: ['server/index.mjs'] } } }
  const list = (version: string) => {
    const packages = [registry.bundle(`/notes-${version}.mcpb`, notesBundle({ ...optional, version }))]
    registry.list({ server: { name: 'io.github.ann/notes', version, title: 'Notes', packages }, status: 'active' })
  }
  list('1.2.0')
  const hostile = '<img src=x onerror="document.title=1"> [Allow](javascript:alert(1)) \u202etxt'
  const looks = { name: 'io.github.anm/notes', version: '1.0.0', description: hostile, websiteUrl: 'https://notes.example/' }
  registry.list({ server: looks, status: 'deprecated', statusMessage: 'Use the other.', publishedAt: '2026-01-01' })
  const npm = registry.npm('notes-of-anyone', '3.0.0', 'com.example/other')
  registry.list({ server: { name: 'com.example/notes', version: '3.0.0', packages: [npm] } })

  await goTo(page, 'Servers')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Find in a registry' }).click()
  await expect(page.getByRole('heading', { name: 'No registry yet' })).toBeVisible()
  await expectNoFaults(page)
  await page.getByRole('button', { name: 'Add registry …' }).click()
  await typeInto(page.getByRole('textbox', { name: 'Address' }), registry.address)
  await page.keyboard.press('Enter')
  const field = page.getByRole('searchbox', { name: 'Name of a server or publisher' })
  await expect(field).toBeVisible()
  expect(registry.asked).toEqual([])
  await walkTo(page, field)
  await typeInto(field, 'notes')
  await page.keyboard.press('Enter')
  const found = page.getByRole('list', { name: 'Servers found' })
  await expect(found.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(found.getByRole('listitem')).toHaveCount(3)
  await expect(found).toContainText('<img src=x onerror=')
  await expect(found).toContainText('Use the other.')
  await expect(found).toContainText('looks like “io.github.ann/notes”')
  await expect(found.getByText('Status unknown')).toBeVisible()
  expect(await found.locator('img, a').count()).toBe(0)
  const withoutPackage = found.getByRole('listitem').filter({ hasText: 'Use the other.' })
  await expect(withoutPackage).toContainText('It cannot be added: it does not say how to run it.')
  await expect(withoutPackage.getByRole('button', { name: /^Review/ })).toHaveCount(0)
  await expectNoFaults(page)
  await page.getByRole('button', { name: 'Website of io.github.anm/notes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Review com.example/notes' }).click()
  const review = page.getByRole('region', { name: 'Published server' })
  await expect(review).toContainText('notes-of-anyone@3.0.0')
  expect(registry.asked.filter((path) => path.startsWith('/npm'))).toEqual([])
  await press(review.getByRole('button', { name: /^Check at 127\.0\.0\.1/ }))
  await expect(review).toContainText('Its package says that it is “com.example/other”.')
  await expectNoFaults(page)
  await page.goBack()
  await page.getByRole('button', { name: 'Review io.github.ann/notes' }).click()
  await page.getByRole('button', { name: /^Download and review/ }).click()
  await expect(page.getByRole('region', { name: 'Published server' })).toContainText('says the bundle')
  await press(page.getByRole('button', { name: 'Add 1 server' }))
  await shell.trustServer('allow')
  await expect(serverRow(page, 'Notes')).toContainText('Ready')

  list('2.0.0')
  await serverRow(page, 'Notes').getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'Where it came from' })).toBeVisible()
  await expectNoFaults(page)
  await page.getByRole('button', { name: 'Check for updates' }).click()
  await page.getByRole('button', { name: /^Download and review/ }).click()
  await expect(page.getByText('Its version was 1.2.0 and is now 2.0.0.')).toBeVisible()
  await press(page.getByRole('button', { name: 'Update 1 server' }))
  await shell.trustServer('allow')
  await expect(serverRow(page, 'Notes')).toContainText('Ready')
  await serverRow(page, 'Notes').getByRole('link').first().click()
  await press(page.getByRole('button', { name: 'Go back to 1.2.0' }))
  const question = page.getByRole('dialog', { name: 'Start this server?' })
  await expect(question).toContainText('changed since you allowed it')
})
