import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Locator, type Page } from '@playwright/test'
import { press } from '../shells/press.ts'
import type { RunningShell } from '../shells/running-shell.ts'

/** A person's actions, in their words; specs are made of these. */

export const server = (name: string) => fileURLToPath(new URL(`../servers/${name}`, import.meta.url))
export const official = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url))

export async function goTo(page: Page, place: 'Conversations' | 'Servers' | 'Inbox' | 'Settings'): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click()
}

export async function goToSettings(page: Page, section: string): Promise<void> {
  await goTo(page, 'Settings')
  await page
    .getByRole('navigation', { name: 'Sections of the settings' })
    .getByRole('link', { name: section, exact: true })
    .click()
}

export async function newConversation(page: Page): Promise<void> {
  await goTo(page, 'Conversations')
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  // Those of another conversation go together with its composer.
  await expect(page.getByRole('article')).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
}

export async function send(page: Page, text: string): Promise<void> {
  const button = page.getByRole('button', { name: 'Send', exact: true })
  // A page that has just changed its place puts another composer there; what was typed into the old one is that one's draft.
  await expect(async () => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await expect(button).toBeEnabled({ timeout: 1000 })
  }).toPass()
  await button.click()
}

/** By the name that its list gives it, of this provider where several have one. */
export async function chooseModel(page: Page, name: string, provider?: string): Promise<void> {
  await page.getByRole('button', { name: /^Model: / }).click()
  const models = page.getByRole('listbox', { name: 'Models' })
  await (provider === undefined ? models : models.getByRole('group', { name: provider, exact: true }))
    .getByRole('option')
    .filter({ has: page.getByText(name, { exact: true }) })
    .click()
  await expect(page.getByRole('button', { name: `Model: ${name}`, exact: true })).toBeFocused()
}

export const consent = (page: Page) =>
  page.getByRole('dialog', { name: /^(?:The app of .+ asks\. )?Allow (?:this tool call|these tool calls)\?$/ })
export const trust = (page: Page) => page.getByRole('dialog', { name: /^(Start|Connect to) this server\?$/ })

export async function answer(
  page: Page,
  choice: 'Allow once' | 'Allow in this conversation' | 'Always allow' | 'Deny',
): Promise<void> {
  const dialog = consent(page)
  if (choice === 'Allow once' || choice === 'Deny') return press(dialog.getByRole('button', { name: choice, exact: true }))
  const name = choice === 'Always allow' ? /^Let .* always$/ : /^Let .* in this conversation$/
  // The safe choice is there together with all others.
  await expect(dialog.getByRole('button', { name: 'Deny', exact: true })).toBeVisible()
  const inSight = dialog.getByRole('button', { name })
  if ((await inSight.count()) > 0) return press(inSight.first())
  await dialog.getByRole('button', { name: 'More choices' }).click()
  await press(dialog.getByRole('menuitem', { name }).first())
}

/** Calls the tool that the server's page shows, and says yes where the shell asks outside of the page. */
export async function callByHand(shell: RunningShell): Promise<void> {
  await shell.allowInBox()
  await press(shell.page.getByRole('button', { name: 'Run', exact: true }))
}

/** The last card of a tool. */
export const card = (page: Page, tool: string) => page.getByRole('group', { name: `Tool call: ${tool}`, exact: true }).last()

/**
 * Opens a call, from under the line of its neighbours if need be: its arguments, its result, who allowed it. By key, since the lines
 * move while a reply goes on.
 */
export async function openCall(call: Locator): Promise<Locator> {
  const id = await call.getAttribute('id')
  const line = (open: boolean) => call.page().locator(`[aria-expanded="${open}"][aria-controls~="${id}"]`)
  if ((await line(false).count()) > 0) await line(false).press('Enter')
  const own = call.getByRole('button', { expanded: false }).first()
  if ((await call.locator('> .call-head > [aria-expanded=true]').count()) === 0) await own.press('Enter')
  return call
}

/** The last call of a tool, opened, shows this, once it is that call. */
export async function expectShown(page: Page, tool: string, text: string | RegExp): Promise<void> {
  await expect(async () => {
    await openCall(card(page, tool))
    await expect(card(page, tool)).toContainText(text, { timeout: 1000 })
  }).toPass()
}

export async function expectStatus(
  toolCall: Locator,
  word:
    | 'Waiting'
    | 'Needs you'
    | 'Running'
    | 'In the background'
    | 'Finished'
    | 'Error'
    | 'Failed'
    | 'Declined'
    | 'Cancelled'
    | 'Interrupted'
    | `Starting ${string}…`,
): Promise<void> {
  await expect(toolCall.getByText(word, { exact: true })).toBeVisible()
}

/** Adds a local program through the form, as a person does. */
export async function addLocalServer(page: Page, { name, command, args }: { name: string; command: string; args: string }) {
  await goTo(page, 'Servers')
  await page.getByRole('button', { name: 'Add server' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  await dialog.getByRole('radio', { name: 'Local program' }).check()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('textbox', { name: 'Command' }).fill(command)
  await dialog.getByRole('textbox', { name: 'Arguments' }).fill(args)
  await dialog.getByRole('button', { name: 'Save' }).click()
}

/** A server's row in the list of the Servers screen. */
export const serverRow = (page: Page, name: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name, exact: true }) })

/** The state that the Servers screen shows for a server. */
export async function expectServerState(page: Page, name: string, word: RegExp | string): Promise<void> {
  await goTo(page, 'Servers')
  await expect(serverRow(page, name)).toContainText(word)
}

/** A program of this Node under its name in mcp.json. */
export interface NodeServer {
  readonly name: string
  readonly args: readonly string[]
}

export const everything: NodeServer = { name: 'everything', args: [official('server-everything'), 'stdio'] }

/** Adds a server to mcp.json, which the host follows, trusts it, and waits until it is ready. */
export async function addTrustedServer(shell: RunningShell, { name, args }: NodeServer): Promise<void> {
  const file = join(shell.folder, 'mcp.json')
  const { mcpServers } = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))
  await writeFile(file, JSON.stringify({ mcpServers: { ...mcpServers, [name]: { command: process.execPath, args } } }))
  const done = await shell.aside(async (window) => {
    const { id } = await window.until(
      () => window.host.interactions.find((one) => one.kind === 'server-trust' && one.about.serverName === name),
      `the question about ${name}`,
    )
    await window.request('interaction.answer', { id, kind: 'server-trust', answer: { decision: 'allow' } })
    await window.until(
      () => Object.values(window.host.servers).some((one) => one.name === name && one.state.is === 'ready'),
      `${name} to be ready`,
    )
  })
  if (!done) await shell.trustServer('allow')
  await expectServerState(shell.page, name, 'Ready')
}

/** The texts that the page marks as found. */
export const highlighted = (page: Page, name: 'found' | 'found-now' | 'search') =>
  page.evaluate((wanted) => [...(CSS.highlights.get(wanted) ?? [])].map((range) => String(range)), name)
