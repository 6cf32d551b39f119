// Heights of what a person reads, and the clicks of what they do, on the built web shell with the Demo model. A machine gives the same in each run;
// between machines fonts differ by some pixels. Needs a build. Typed words and keys are no clicks.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAtHome } from '../shells/at-home.ts'
import { press } from '../shells/press.ts'
import { startModelApi } from '../support/model-api.ts'
import { row } from './report.mjs'

const root = join(import.meta.dirname, '..', '..')
const official = (name) => join(root, 'node_modules', '@modelcontextprotocol', name, 'dist', 'index.js')
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const home = join(folder, 'home')
const data = join(folder, 'data')
const notes = join(home, 'notes')
mkdirSync(join(home, '.config', 'Claude'), { recursive: true })
mkdirSync(notes)
writeFileSync(join(notes, 'plan.md'), 'Move to Lisbon.\n')
const files = { command: process.execPath, args: [official('server-filesystem'), notes] }
writeFileSync(join(home, '.config', 'Claude', 'claude_desktop_config.json'), JSON.stringify({ mcpServers: { files } }))
const api = await startModelApi(() => ({ text: 'Hello.' }))
const { link, page, close } = await openAtHome(data, home)

const button = (name, inside = page) => inside.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = (name) => page.getByRole('dialog', { name })
const go = (name) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
const message = () => page.getByRole('textbox', { name: 'Message' })
const asked = () => dialog(/^Allow (this tool call|these tool calls)\?$/)
const idle = () => button('Send').waitFor()
const allow = async () => {
  await press(button('Allow once', asked()))
  await idle()
}
async function say(text) {
  await message().fill(text)
  await message().press('Enter')
}
async function sayAnew(text) {
  await go('Conversations')
  await button('New conversation').first().click()
  await say(text)
}
const tall = async (part) => `${Math.round((await part.boundingBox()).height)} px`
/** The clicks that reach the page; those by keys are none. */
async function clicks(name, act) {
  await page.evaluate(() => {
    globalThis.clicksSeen = 0
  })
  await act()
  row(`  ${name}`, String(await page.evaluate(() => globalThis.clicksSeen)), '')
}

try {
  await page.addInitScript(() => {
    globalThis.clicksSeen = 0
    addEventListener('click', ({ isTrusted, detail }) => isTrusted && detail > 0 && globalThis.clicksSeen++, true)
  })
  await page.goto(link)
  console.log('\nClicks')
  await clicks('a first tool call, without a key', async () => {
    await button('Try it now').click()
    await allow()
  })
  await clicks('import a server of Claude Desktop, and let it start', async () => {
    await go('Servers')
    await button(/^Import .* from Claude Desktop/).click()
    await press(button(/^Add \d+ server/))
    await press(button('Allow', dialog('Start this server?')))
    await dialog('Start this server?').waitFor({ state: 'detached' })
  })
  await page.getByText('Ready').nth(1).waitFor()
  await clicks('ask, and allow the call once', async () => {
    await sayAnew('use playground/add with a=20 b=22')
    await asked().waitFor()
    await allow()
  })
  await clicks('ask for a file, and let its folder be read', async () => {
    await sayAnew(`use files/read_text_file with path="${join(notes, 'plan.md')}"`)
    await press(button(/^Let files read /, asked()))
    await idle()
  })
  await sayAnew('hello')
  await idle()
  await clicks('ask again, and go back to the earlier reply', async () => {
    await button('Retry').click()
    await button('Previous version').click()
  })
  await clicks('connect a model at an address', async () => {
    await go('Settings')
    await page.getByRole('link', { name: 'Models', exact: true }).click()
    await button('Add provider').click()
    const adding = dialog('Add a provider')
    await adding.getByRole('radio', { name: 'OpenAI-compatible', exact: true }).check()
    await adding.getByRole('textbox', { name: 'Base URL' }).fill(`${api.url}/v1`)
    await button('Add', adding).click()
    await adding.waitFor({ state: 'detached' })
  })
  await clicks('choose another model', async () => {
    await go('Conversations')
    await button(/^Model: /).click()
    await page.getByRole('option', { name: 'Demo (not an AI)' }).click()
  })
  await clicks('find a message of before, and go there', async () => {
    await page.getByRole('searchbox').first().fill('20 b=22')
    await page.getByRole('list', { name: 'Search results' }).getByRole('link').first().click()
  })
  await page.getByRole('searchbox').first().fill('')
  await clicks('correct a message, and send it again', async () => {
    const mine = page.getByRole('article', { name: 'You' }).last()
    await mine.hover()
    await button('Edit', mine).click()
    const text = page.getByRole('form', { name: 'Edit message' }).getByRole('textbox')
    await text.fill('hello')
    await text.press('Enter')
    await text.waitFor({ state: 'detached' })
  })
  await clicks('turn a server off for a conversation', async () => {
    await button(/^Tools \(/).click()
    await page.getByRole('group', { name: 'files', exact: true }).getByRole('switch').first().click()
    await page.keyboard.press('Escape')
  })

  console.log('\nHeights at 1280 × 820')
  await sayAnew('use delete-note with name=groceries')
  await asked().waitFor()
  row('  question, one argument', await tall(asked()), '')
  await press(button('Deny', asked()))
  await idle()
  row('  message of one line', await tall(page.getByRole('article', { name: 'You' }).last()), '')
  await say('use playground/add with a=20 b=22')
  await asked().waitFor()
  row('  question, two arguments', await tall(asked()), '')
  await allow()
  await say('use playground/add with a=20 b=22; add with a=1 b=2')
  await asked().waitFor()
  row('  question, two calls of one tool', await tall(asked()), '')
  await allow()
  await say('use describe-text with text="Words"; add with a=20 b=22')
  await asked().waitFor()
  row('  question, two calls', await tall(asked()), '')
  await press(button('Deny', asked()))
  await idle()
  await say('use describe-text with text="Words"; list-notes; add with a=20 b=22')
  await asked().waitFor()
  row('  question, three calls', await tall(asked()), '')
  await allow()
  const boxes = await Promise.all([-2, -1].map((at) => page.getByRole('article').nth(at).boundingBox()))
  const [{ y: top }, { y, height }] = boxes
  row('  transcript, three calls', `${Math.round(y + height - top)} px`, 'from the message to the foot of the reply')
} finally {
  await close()
  await api.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
