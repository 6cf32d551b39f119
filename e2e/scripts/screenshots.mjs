// Takes a picture of every screen, light and dark, of the built web shell with the Demo model and real servers: into out/gallery.
// `npm run screenshots` all; words after -- choose by name. With --docs those that README.md and docs/ show go into assets/, too.
// Look at them afterwards.

import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAtHome } from '../shells/at-home.ts'
import { press } from '../shells/press.ts'
import { startModelApi } from '../support/model-api.ts'
import { startTaskModel, TASK, writeShop } from './a-task.mjs'
import { root } from './run.mjs'

const words = process.argv.slice(2).filter((word) => word !== '--docs')
const gallery = join(root, 'out', 'gallery')
mkdirSync(gallery, { recursive: true })
/** Pictures that the documentation shows, where they are wanted. */
const docs = process.argv.includes('--docs') ? globSync(['README.md', 'docs/**/*.md'], { cwd: root }) : []
const wanted = docs.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/screenshot-[\w-]+\.png/g) ?? [])
const official = (name) => join(root, 'node_modules', '@modelcontextprotocol', name, 'dist', 'index.js')
const everything = official('server-everything')
const folder = mkdtempSync(join(tmpdir(), 'parley-pictures-'))
const servers = {
  everything: { command: 'node', args: [everything, 'stdio'] },
  weather: { command: 'node', args: [join(root, 'e2e', 'servers', 'small', 'asks.mjs')] },
  notes: { command: 'notes-server', args: ['--folder', '~/notes'], env: { NOTES_TOKEN: 'a-token-by-hand' } },
  issues: { url: 'https://issues.example.com/mcp', headers: { 'X-Team': 'design' } },
}
const configure = (mcpServers) => writeFileSync(join(folder, 'mcp.json'), `${JSON.stringify({ mcpServers }, null, 2)}\n`)
configure({})
/** A person who has used other apps; its path is seen on the pictures. */
const home = join(tmpdir(), 'ada')
const keep = (path, text) => {
  mkdirSync(join(home, path, '..'), { recursive: true })
  writeFileSync(join(home, path), text)
}
const memory = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] }
const tickets = { url: 'https://tickets.example.com/mcp', headers: { Authorization: `Bearer ${'$'}{env:TICKETS_TOKEN}` } }
keep(
  '.config/Claude/claude_desktop_config.json',
  JSON.stringify({
    mcpServers: { memory, weather: { ...memory, args: ['-y', 'weather-mcp'], env: { WEATHER_API_KEY: 'wk-41c7' } } },
  }),
)
keep('.cursor/mcp.json', JSON.stringify({ mcpServers: { tickets } }))
keep('calendar/server.mjs', "console.error('Starting')\nconsole.error('Error: CALENDAR_TOKEN is not set')\nprocess.exit(1)\n")
keep('notes/.git/HEAD', 'ref: refs/heads/main\n')
const calendar = { command: 'node', args: [join(home, 'calendar', 'server.mjs'), '--notes', join(home, 'notes')] }
/** Its path is seen on the pictures. */
const shop = join(tmpdir(), 'shop')
writeShop(shop)
const taskModel = await startTaskModel(shop)
const toolCall = (name, args) => ({ calls: [{ name, arguments: JSON.stringify(args) }] })
const mail = (body) => toolCall('send_mail', { to: 'bob@example.com', body })
const deskReplies = [
  ...[mail('Hello Bob'), { text: 'Sent.' }],
  ...[toolCall('read_note', { title: 'plan' }), toolCall('get_news', { day: 'monday' }), mail('She is moving to Lisbon')],
  { text: 'Then I leave it.' },
]
const deskModel = await startModelApi((_request, n) => deskReplies[n] ?? { text: 'Done.' })

const { link, page, close } = await openAtHome(folder, home)

const button = (name) => page.getByRole('button', { name })
const sending = page.getByRole('button', { name: 'Send', exact: true })
const go = (name) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
/** `part`: what the documentation shows of it. */
async function shoot(name, part) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) return
  // Nothing is to look as if it were about to be chosen.
  await page.mouse.move(0, 0)
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.waitForTimeout(450)
    const file = `screenshot-${name}-${theme}.png`
    await page.screenshot({ path: join(gallery, file) })
    if (!wanted.includes(file)) continue
    if (part) await page.screenshot({ path: join(root, 'assets', file), clip: await around(part) })
    else copyFileSync(join(gallery, file), join(root, 'assets', file))
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}
async function around(part) {
  const { x, y, width, height } = await part.boundingBox()
  const [left, top] = [Math.max(0, x - 12), Math.max(0, y - 12)]
  const window = page.viewportSize()
  return {
    x: left,
    y: top,
    width: Math.min(window.width, x + width + 12) - left,
    height: Math.min(window.height, y + height + 12) - top,
  }
}
async function say(text) {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await sending.click()
}
async function allow(choice = 'Allow once') {
  await press(
    page.getByRole('dialog', { name: /^Allow (this tool call|these tool calls)\?$/ }).getByRole('button', { name: choice }),
  )
}
const dialog = (name) => page.getByRole('dialog', { name })
const nothing = () => {}
/** The server's question, the name of its dialog, and the steps before the picture. */
const QUESTIONS = [
  ['sample', 'Review sampling request', nothing],
  ['sample-tools', 'Review sampling request', (question) => question.getByText('1 tool', { exact: true }).click()],
  ['form', 'Information requested', nothing],
  ['secret', 'Information requested', nothing],
  ['spoof', 'Information requested', nothing],
  ['visit url="http://ada@xn--pple-43d.com:8443/sign-in"', 'Open this address?', nothing],
  [
    'sample-plain',
    'Review',
    async () => {
      await press(button('Send to model'))
      await page.getByRole('textbox', { name: 'Reply text 1' }).waitFor()
    },
  ],
]
/** A new conversation with a model of a new provider; its form is shown by `picture`. */
async function chooseNewModel(kind, { url }, search, picture = nothing) {
  await go('Settings')
  await button('Add provider').click()
  const adding = dialog('Add a provider')
  await adding.getByRole('radio', { name: kind, exact: true }).check()
  await picture(adding)
  if (kind !== 'OpenAI-compatible') await adding.getByText('Advanced').click()
  await adding.getByRole('textbox', { name: 'Base URL' }).fill(url)
  await adding.getByLabel('API key').fill('sk-picture')
  await adding.getByRole('button', { name: 'Add', exact: true }).click()
  await adding.waitFor({ state: 'detached' })
  await go('Conversations')
  await button('New conversation').first().click()
  await button(/^Model: /).click()
  await page.getByRole('combobox', { name: 'Search models' }).fill(search)
  await page.getByRole('option', { name: search }).click()
}
/** A task that a model does with the files of a folder: its question, and its end. */
async function doTask() {
  configure({ filesystem: { command: 'node', args: [official('server-filesystem'), shop] } })
  await press(dialog('Start this server?').getByRole('button', { name: 'Allow' }))
  await chooseNewModel('Anthropic', taskModel, 'sonnet', (adding) => shoot('add-provider', adding))
  await say(TASK)
  for (const asked of ['directory_tree', '4 calls', 'edit_file']) {
    await dialog(/^Allow /)
      .filter({ hasText: asked })
      .waitFor()
    if (asked === 'edit_file') await shoot('edit')
    await allow()
  }
  await button('Retry').waitFor()
  await shoot('task')
  await go('Servers')
  await page.getByRole('link', { name: 'filesystem' }).first().click()
  const fence = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Fence' }) })
  await fence.getByRole('list', { name: 'Folders that it reaches' }).waitFor()
  await fence.evaluate((part) => part.scrollIntoView({ block: 'end' }))
  await shoot('fence', fence)
  configure({})
  // The one that was chosen first is the default since; all other pictures are of the Demo model.
  await go('Settings')
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Default model/ })
    .click()
  await page.getByRole('combobox', { name: 'Search models' }).fill('demo')
  await page.getByRole('option').first().click()
}
async function shootDoctor() {
  await page.getByRole('main').getByRole('link', { name: 'calendar' }).click()
  await page.getByText(/\d failed/).waitFor()
  await shoot('doctor', page.getByRole('region', { name: 'Connection check' }))
  await go('Servers')
}
const idle = () => sending.waitFor()
/** A model knows the tools of servers that are ready. */
async function untilReady(...names) {
  await go('Servers')
  for (const name of names) {
    const row = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name, exact: true }) })
    await row.getByText('Ready').waitFor()
  }
}
/** A mail that a rule allows, after a private note and what others wrote were read. */
async function shootFlow(configured) {
  const desk = (name) => ({ command: 'node', args: [join(root, 'e2e', 'servers', 'small', 'desk.mjs'), name] })
  configure({ ...configured, diary: desk('notes'), news: desk('news'), mail: desk('mail') })
  await press(dialog('Start these 3 servers?').getByRole('button', { name: 'Allow 3' }))
  await untilReady('diary', 'news', 'mail')
  await chooseNewModel('OpenAI-compatible', { url: `${deskModel.url}/v1` }, 'llama3.2')
  await say('Say hello to bob@example.com')
  await button('More choices').click()
  await press(page.getByRole('menuitem', { name: /^Let .* in this conversation$/ }).first())
  await page.getByText('Sent.', { exact: true }).waitFor()
  await idle()
  await say('Look at my plan and the news of monday, then write to bob@example.com')
  for (const asked of ['read_note', 'get_news']) {
    await dialog(/^Allow /)
      .filter({ hasText: asked })
      .waitFor()
    await allow()
  }
  await page.getByRole('link', { name: 'Show read_note' }).waitFor()
  await shoot('consent-flow')
  await allow('Deny')
  await idle()
}

/** A view of a server below its call. */
async function shootView(configured) {
  configure({ ...configured, sales: { command: 'node', args: [join(root, 'e2e', 'servers', 'small', 'app.mjs')] } })
  await press(dialog('Start this server?').getByRole('button', { name: 'Allow' }))
  await untilReady('sales')
  await go('Conversations')
  await button('New conversation').first().click()
  await say('use sales/chart')
  await allow()
  const view = page.getByRole('region', { name: 'View of sales: chart' })
  await view.frameLocator('iframe').getByRole('button').waitFor()
  await idle()
  await shoot('view', view)
}

try {
  await page.goto(link)
  await page.getByRole('heading').first().waitFor()
  await shoot('welcome')
  await button(/^Import \d+ servers from /).click()
  await page.getByRole('listitem').filter({ hasText: 'tickets' }).waitFor()
  await shoot('import', page.locator('.import-form'))
  await button('Cancel').click()
  await doTask()

  await shootView({})
  configure({})

  await go('Conversations')
  await button('New conversation').first().click()
  await shoot('empty-conversation')
  await say('use playground/add with a=20 b=22')
  await page.getByRole('dialog').waitFor()
  await shoot('consent', page.getByRole('dialog'))
  await allow()
  await idle()
  await say('use describe-text with text="A host that people trust with their tools"; list-notes')
  await page.getByRole('dialog').waitFor()
  await shoot('consent-round')
  await allow()
  await idle()
  await say('use playground/slow-task with seconds=60')
  await allow()
  await page.getByRole('progressbar').waitFor()
  await page.waitForTimeout(1500)
  await shoot('conversation')
  await button('Stop').click()
  await idle()
  await say('use delete-note with name=groceries')
  await page.getByRole('dialog').waitFor()
  await shoot('consent-destructive')
  await allow('Deny')
  await idle()
  await shoot('declined')

  await go('Servers')
  const { everything: first, weather } = servers
  for (const configured of [{ calendar }, { everything: first }, { everything: first, weather }]) {
    configure(configured)
    const asking = dialog('Start this server?').filter({ hasText: Object.keys(configured).at(-1) })
    await asking.waitFor()
    if (configured.calendar) {
      await shoot('trust', asking)
      await asking.getByText('Folders to share (optional)').click()
      await shoot('trust-folders', asking)
    }
    await press(asking.getByRole('button', { name: 'Allow' }))
    await asking.waitFor({ state: 'detached' })
    if (configured.calendar) await shootDoctor()
  }
  configure(servers)
  await go('Inbox')
  await button('Answer').nth(1).waitFor()
  await shoot('inbox')
  await go('Servers')
  // Two servers wait to be trusted, in whichever order.
  for (const _server of ['notes', 'issues']) {
    const asking = dialog(/^(Start|Connect to) this server\?$/)
    const asked = await asking.textContent()
    await page.keyboard.press('Escape')
    await asking.filter({ hasText: asked }).waitFor({ state: 'detached' })
  }
  await page.getByText('Ready').nth(1).waitFor()
  await page.waitForTimeout(1000)
  await shoot('servers')
  await page.getByRole('main').getByRole('link', { name: 'everything' }).click()
  await page.waitForTimeout(400)
  await shoot('server')
  for (const tab of ['Tools', 'Log', 'Traffic']) {
    await page.getByRole('tab', { name: tab }).click()
    await page.waitForTimeout(500)
    await shoot(`server-${tab.toLowerCase()}`)
  }
  await page.getByRole('tab', { name: 'Roots' }).click()
  await shoot('server-roots')
  for (const [question, title, act] of QUESTIONS) {
    await go('Conversations')
    await button('New conversation').first().click()
    await say(`use weather/ask with what=${question}`)
    await allow()
    await dialog(title).waitFor()
    await page.waitForTimeout(500)
    await act(dialog(title))
    await shoot(`question-${question.split(' ')[0]}`, dialog(title))
    await button('Stop').click()
    await idle()
  }
  await go('Conversations')
  await button('New conversation').first().click()
  await button('Attach').click()
  await page.getByRole('menuitem', { name: 'Resources …' }).click()
  const picker = page.getByRole('dialog', { name: 'Attach a resource' })
  await picker.getByRole('button', { name: /architecture/ }).waitFor()
  await shoot('pick-resource')
  await picker.getByRole('button', { name: 'As a tree' }).click()
  await shoot('pick-resource-tree')
  await picker.getByRole('button', { name: /architecture/ }).click()
  await picker.getByRole('button', { name: 'Preview' }).click()
  await picker.getByRole('region', { name: 'Content' }).waitFor()
  await shoot('preview-resource')
  await picker.getByRole('button', { name: 'Attach', exact: true }).click()
  await page.getByRole('list', { name: 'Attached to your message' }).waitFor()
  await button('Context').click()
  await page.getByRole('region', { name: 'What the model is given' }).waitFor()
  await shoot('context')
  await page.keyboard.press('Escape')
  await button('Prompts').click()
  const prompts = page.getByRole('dialog', { name: 'Use a prompt' })
  await prompts.getByRole('button', { name: /Team/ }).waitFor()
  await shoot('pick-prompt')
  await prompts.getByRole('button', { name: /Team/ }).click()
  await prompts.getByRole('combobox', { name: 'department' }).fill('S')
  await prompts.getByRole('option', { name: 'Sales' }).waitFor()
  await shoot('prompt-arguments')
  await prompts.getByRole('option', { name: 'Sales' }).click()
  await prompts.getByRole('combobox', { name: 'name' }).fill('Eve')
  await prompts.getByRole('button', { name: 'Preview' }).click()
  await button('Use it').waitFor()
  await shoot('prompt-preview')
  await button('Use it').click()
  await page.getByText('From the prompt').waitFor()
  await idle()
  await shoot('with-context')
  await button('More about this conversation').click()
  await page.getByRole('menuitem', { name: /^Folders/ }).click()
  await shoot('folders')
  await page.keyboard.press('Escape')

  const late = {
    papers: { command: 'node', args: [join(root, 'e2e', 'servers', 'pdf', 'server.mjs'), 'http://127.0.0.1:9'] },
    slow: { command: 'node', args: [join(root, 'e2e', 'servers', 'small', 'slow.mjs')] },
  }
  configure({ ...servers, ...late })
  await dialog('Start these 2 servers?').waitFor()
  await shoot('trust-several', dialog('Start these 2 servers?'))
  await press(button('Allow 2'))
  await dialog('Start these 2 servers?').waitFor({ state: 'detached' })
  await go('Servers')
  await page.getByRole('main').getByRole('link', { name: 'papers' }).click()
  await page.getByRole('tab', { name: 'Resources' }).click()
  await button('Read').first().click()
  await page.frameLocator('iframe.content-pdf').getByRole('region', { name: 'Page 1', exact: true }).locator('canvas').waitFor()
  await shoot('pdf')
  await page.keyboard.press('Escape')
  await go('Servers')
  await page.getByRole('main').getByRole('link', { name: 'slow' }).click()
  await button('Edit server').click()
  await dialog('Edit server').getByText('Advanced').click()
  await dialog('Edit server').getByRole('spinbutton', { name: 'Request timeout (seconds)' }).fill('6')
  await dialog('Edit server').getByRole('button', { name: 'Save' }).click()
  await go('Conversations')
  await button('New conversation').first().click()
  await say('use slow/wait with file="/nowhere"')
  await allow()
  await button('Keep going').waitFor()
  await shoot('still-waiting')
  await button('Stop').click()
  await idle()

  await go('Servers')
  await button('Add server').first().click()
  const adding = dialog('Add server')
  await adding.waitFor()
  await shoot('add-server')
  await adding.getByRole('textbox', { name: 'Name' }).fill('reports')
  await adding.getByRole('radio', { name: /^Remote server/ }).check()
  await adding.getByRole('textbox', { name: 'URL' }).fill('https://reports.example.com/mcp')
  await adding.getByRole('radio', { name: /^Client credentials/ }).check()
  await adding.getByRole('textbox', { name: 'Client ID' }).fill('reports-nightly')
  await adding.getByRole('textbox', { name: 'Client secret' }).scrollIntoViewIfNeeded()
  await shoot('client-credentials', adding)
  await page.keyboard.press('Escape')
  await button('Discard').click()
  await adding.waitFor({ state: 'detached' })
  await page.keyboard.press('F1')
  await shoot('shortcuts', dialog('Keyboard shortcuts'))
  await dialog('Keyboard shortcuts').getByRole('button', { name: 'User guide' }).click()
  await page.getByRole('heading', { name: 'To begin' }).waitFor()
  await shoot('help')
  await go('Settings')
  await shoot('settings')
  for (const section of ['Network', 'Privacy']) {
    await page.getByRole('navigation', { name: 'Sections of the settings' }).getByRole('link', { name: section }).click()
    const part = page.getByRole('region', { name: section })
    await shoot(section.toLowerCase(), part)
  }

  await page.getByRole('navigation', { name: 'Sections of the settings' }).getByRole('link', { name: 'Schedules' }).click()
  await button('New schedule').click()
  const schedule = dialog('New schedule')
  await schedule.getByRole('textbox', { name: 'Prompt' }).fill('Read my notes, and list what is due today.')
  await schedule.getByRole('textbox', { name: 'Name' }).fill('What is due')
  await schedule.getByRole('combobox', { name: 'When' }).selectOption('On some days')
  await shoot('schedule', schedule)
  await page.keyboard.press('Escape')
  await button('Discard').click()
  await schedule.waitFor({ state: 'detached' })

  await shootFlow({ ...servers, ...late })

  await page.setViewportSize({ width: 640, height: 820 })
  await page.goBack()
  await page.goto(page.url().replace(/#.*/, '#/conversations'))
  await page.waitForTimeout(500)
  await shoot('narrow')
} finally {
  await close()
  await Promise.all([taskModel.close(), deskModel.close()])
  rmSync(home, { recursive: true, force: true })
  rmSync(shop, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}
