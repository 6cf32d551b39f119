import { expect, type Page } from '@playwright/test'
import { DEMO_MODEL } from '../../src-shared/contract/settings.ts'
import type { RunningShell } from '../shells/running-shell.ts'
import { shellOf } from '../shells/start-shell.ts'
import { addTrustedServer, answer, card, expectStatus, goTo, newConversation, openCall, send, server } from './steps.ts'

/** Questions of servers and answers of people; `asks` is a server of ours whose tool returns exactly what came over the wire. */

export const question = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
export const samplingRequest = (page: Page) => question(page, 'Review sampling request')
export const samplingReply = (page: Page) => question(page, 'Review reply')
export const form = (page: Page) => question(page, 'Information requested')
export const address = (page: Page) => question(page, 'Open this address?')
export const folders = (page: Page) => question(page, 'Share folders?')

export async function addAsker(shell: RunningShell, ...args: readonly string[]): Promise<void> {
  await addTrustedServer(shell, { name: 'asks', args: [server('small/asks.mjs'), ...args] })
}

/** In a new conversation, calls the tool that makes the server ask; its card waits for the answer. */
export async function letAsk(page: Page, what: string): Promise<void> {
  await newConversation(page)
  await send(page, `use asks/ask with what=${what}`)
  await answer(page, 'Allow once')
}

/** The server was given exactly this. */
export async function expectAnswer(page: Page, given: unknown): Promise<void> {
  await expectStatus(card(page, 'ask'), 'Finished')
  const call = await openCall(card(page, 'ask'))
  // The result may come after what was asked for.
  await expect(async () => expect(JSON.parse((await call.locator('pre').last().textContent()) ?? '')).toEqual(given)).toPass()
}

const KINDS = { Anthropic: 'anthropic', OpenAI: 'openai', 'OpenAI-compatible': 'openai-compatible' } as const

/** Connects a model at this address, behind Anthropic's API unless said. */
export async function connectModel(
  page: Page,
  url: string,
  kind: keyof typeof KINDS = 'Anthropic',
  model = 'claude-sonnet-5-5',
): Promise<void> {
  const done = await shellOf(page).aside(async (window) => {
    const config = { kind: KINDS[kind], name: kind, baseUrl: url }
    const { id } = await window.request('provider.add', { config, key: KEY })
    const listed = () => window.host.providers.find((one) => one.id === id)?.models.some(({ id }) => id === model)
    await window.until(listed, `${model} to be listed`)
    // Its list makes it the default before it is shown; the tests begin with the Demo model.
    await window.request('settings.change', { settings: { defaultModel: DEMO_MODEL } })
  })
  if (done) return
  await enterProvider(page, url, kind, model)
  await page.getByRole('button', { name: /^Default model/ }).click()
  await page.getByRole('listbox', { name: 'Models' }).getByRole('option', { name: 'Demo (not an AI)' }).click()
}

const KEY = 'sk-canary-0001'

/** The same by the form of the settings. */
export async function enterProvider(page: Page, url: string, kind: keyof typeof KINDS, model: string): Promise<void> {
  await goTo(page, 'Settings')
  await page
    .getByRole('button', { name: /add (a )?provider|connect a model|add model/i })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: kind, exact: true }).check()
  if (kind !== 'OpenAI-compatible') await dialog.getByText('Advanced').click()
  await dialog.getByRole('textbox', { name: /base url|address/i }).fill(url)
  await dialog.getByLabel(/key/i).first().fill(KEY)
  await dialog.getByRole('button', { name: /^(save|add|connect)$/i }).click()
  await expect(page.getByRole('main')).toContainText(model)
}
