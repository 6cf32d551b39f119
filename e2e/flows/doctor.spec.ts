import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { AuthServer } from '../servers/auth-server.ts'
import { ProtectedServer } from '../servers/protected-server.ts'
import { HttpServer } from '../servers/small/http-server.ts'
import { expectNoFaults } from '../shells/axe.ts'
import type { RunningShell } from '../shells/running-shell.ts'
import { test as base, expect } from '../shells/shell-test.ts'
import { tlsFront } from '../support/tls-front.ts'
import { typeInto, walkTo } from './keyboard-steps.ts'
import { expectServerState, goTo, goToSettings, server, serverRow, trust } from './steps.ts'

const test = base
const WORKS = pathToFileURL(server('small/ok.mjs')).href
const NEEDS_KEY = `
  if (!process.env.MY_API_KEY) { console.error('Starting\\nError: MY_API_KEY is not set'); process.exit(1) }
  await import('${WORKS}')`

const configure = (folder: string, mcpServers: object) => writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }))
const keyed = { command: process.execPath, args: ['--input-type=module', '-e', NEEDS_KEY] }

const authority = fileURLToPath(new URL('../support/certificates/authority.pem', import.meta.url))

const doctor = (page: Page) => page.getByRole('region', { name: 'Connection check' })
const check = (page: Page, title: string) => doctor(page).getByRole('listitem').filter({ hasText: title })

/** Goes to a control by Tab and presses it. */
async function press(page: Page, control: Locator): Promise<void> {
  await walkTo(page, control)
  await page.keyboard.press('Enter')
}

/** Says yes to a launch with the keyboard; in the native box where there is one. */
async function allow(shell: RunningShell): Promise<void> {
  const { page } = shell
  await shell.allowInBox()
  const yes = trust(page).getByRole('button', { name: 'Allow' })
  await expect(yes).toBeEnabled()
  await press(page, yes)
  await expect(trust(page)).toHaveCount(0)
}

test('a server is repaired from its row and its page by keyboard alone, signs in, gets a key, and is checked from the palette', async ({
  shell,
  page,
}) => {
  await test.step('a server that lacks a variable is mended from its row, by keyboard alone', async () => {
    await configure(shell.folder, { keyed })
    await shell.trustServer('allow')
    await expectServerState(page, 'keyed', 'Failed')
    const row = serverRow(page, 'keyed')
    await expect(row).toContainText('Error: MY_API_KEY is not set')
    await row.getByRole('link', { name: 'keyed' }).focus()
    const set = row.getByRole('button', { name: 'Set MY_API_KEY' })
    await press(page, set)
    const dialog = page.getByRole('dialog', { name: 'Set MY_API_KEY' })
    await expect(dialog.getByRole('textbox', { name: 'MY_API_KEY' })).toBeFocused()
    await expectNoFaults(page)
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('Required')
    await typeInto(dialog.getByRole('textbox', { name: 'MY_API_KEY' }), 's3cret-canary')
    await page.keyboard.press('Enter')
    await allow(shell)
    await expect(row).toContainText('Ready')
    await expect(row.getByRole('button', { name: 'Set MY_API_KEY' })).toHaveCount(0)
    expect(await readFile(join(shell.folder, 'mcp.json'), 'utf8')).not.toContain('s3cret-canary')
  })
  await test.step('the page of a failed server says what it lacks in a field, and what was looked at', async () => {
    await configure(shell.folder, { second: { ...keyed, args: [...keyed.args, 'second'] } })
    await shell.trustServer('allow')
    await expectServerState(page, 'second', 'Failed')
    await serverRow(page, 'second').getByRole('link', { name: 'second' }).click()
    await expect(doctor(page)).toContainText('Error: MY_API_KEY is not set')
    await expect(doctor(page).getByRole('status')).toHaveText(/1 failed/)
    await expect(check(page, 'Allowed')).toContainText('Passed')
    await expect(doctor(page).getByRole('listitem').filter({ hasText: 'Failed' })).toContainText('MY_API_KEY')
    await expect(check(page, 'After that')).toContainText('Lists')
    await expectNoFaults(page)
    const field = doctor(page).getByRole('textbox', { name: 'MY_API_KEY' })
    await page.getByRole('tab', { name: 'Overview' }).focus()
    await walkTo(page, field)
    await typeInto(field, 's3cret-canary')
    await page.keyboard.press('Enter')
    await allow(shell)
    await expect(doctor(page)).toHaveCount(0)
    await expect(page.getByRole('main')).toContainText('Ready')
  })
  await test.step('a server that wants a sign-in asks for it again from its row', async () => {
    const auth = await AuthServer.start()
    const guarded = await ProtectedServer.start(auth)
    try {
      await configure(shell.folder, { guarded: { url: guarded.url } })
      await shell.trustServer('allow')
      const question = page.getByRole('dialog', { name: 'Sign in to guarded?' })
      await question.getByRole('button', { name: 'Cancel' }).click()
      await expectServerState(page, 'guarded', 'Sign-in needed')
      await serverRow(page, 'guarded').getByRole('link', { name: 'guarded' }).focus()
      await press(page, serverRow(page, 'guarded').getByRole('button', { name: 'Sign in' }))
      await expect(question).toBeVisible()
      await question.getByRole('button', { name: 'Cancel' }).click()
      await expect(serverRow(page, 'guarded').getByRole('button', { name: 'Sign in' })).toBeVisible()
    } finally {
      await guarded.stop()
      await auth.stop()
    }
  })
  await test.step('a key that an address does not take is entered in place, and what to install is a command to copy', async () => {
    const far = await HttpServer.listen()
    far.key = 's3cret-canary'
    try {
      await configure(shell.folder, { far: { url: far.url, headers: { 'X-Api-Key': 'old' } } })
      await shell.trustServer('allow')
      await expectServerState(page, 'far', 'Failed')
      await press(page, serverRow(page, 'far').getByRole('button', { name: 'Set X-Api-Key' }))
      await typeInto(page.getByRole('dialog', { name: 'Set X-Api-Key' }).getByLabel('X-Api-Key'), 's3cret-canary')
      await page.keyboard.press('Enter')
      await expect(serverRow(page, 'far')).toContainText('Ready')
    } finally {
      await far.close()
    }
    await configure(shell.folder, { lacks: { command: 'uvx', args: ['some-server'], env: { PATH: '/nowhere' } } })
    await shell.trustServer('allow')
    await expectServerState(page, 'lacks', 'Failed')
    await serverRow(page, 'lacks').getByRole('link', { name: 'lacks' }).click()
    await expect(doctor(page)).toContainText('Install uv')
    await expect(doctor(page).getByRole('button', { name: 'Copy command' })).toBeVisible()
  })
  await test.step('a server that is well is looked at from the palette, and everything has passed', async () => {
    await expectServerState(page, 'Playground', 'Ready')
    await page.keyboard.press('Control+k')
    await typeInto(page.getByRole('combobox', { name: 'Search commands' }), 'check play')
    await page.keyboard.press('Enter')
    await expect(doctor(page).getByRole('heading', { name: 'Checks' })).toBeFocused()
    await expect(doctor(page).getByRole('status')).toHaveText('All passed')
    await expect(check(page, 'Handshake')).toContainText('Passed')
    await expectNoFaults(page)
  })
  await test.step('a question that was put aside is opened again from the row of a server that waits for it, alone or with others', async () => {
    const one = { command: process.execPath, args: [server('small/ok.mjs')] }
    await configure(shell.folder, { one })
    const alone = trust(page)
    await alone.getByRole('button', { name: 'Dismiss' }).click()
    await expectServerState(page, 'one', 'Needs you')
    await press(page, serverRow(page, 'one').getByRole('button', { name: 'Review' }))
    await expect(alone).toBeVisible()
    await alone.getByRole('button', { name: 'Deny' }).click()

    const two = { ...one, args: [...one.args, 'two'] }
    await configure(shell.folder, { one, two, three: { ...one, args: [...one.args, 'three'] } })
    const both = page.getByRole('dialog', { name: 'Start these 2 servers?' })
    await expect(both.getByText('server', { exact: true })).toHaveCount(0)
    await both.getByRole('button', { name: 'Dismiss' }).click()
    await press(page, serverRow(page, 'three').getByRole('button', { name: 'Review' }))
    await expect(both).toBeVisible()
    await expect(both.getByRole('checkbox', { name: 'two' })).toBeChecked()
  })
})

test('the proxy and an authority are set by keyboard alone, and invalid ones are refused in words', { tag: '@long' }, async ({
  shell,
  page,
}) => {
  await goToSettings(page, 'Network')
  const network = page.getByRole('region', { name: 'Network' })
  await network.getByRole('radio', { name: 'System' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(network.getByRole('radio', { name: 'Own address' })).toBeChecked()
  const address = network.getByRole('textbox', { name: 'Proxy address' })
  await walkTo(page, address)
  await typeInto(address, 'socks5://proxy.example')
  await page.keyboard.press('Enter')
  await expect(network).toContainText('SOCKS proxies are not supported')
  await page.keyboard.press('Control+a')
  await typeInto(address, 'me@proxy.example:8080')
  const password = network.getByRole('textbox', { name: 'Proxy password' })
  await walkTo(page, password)
  await typeInto(password, 's3cret-canary')
  await shell.allowInBox()
  await page.keyboard.press('Enter')
  await expect(network.getByText('In use')).toBeVisible()
  await expect(address).toHaveValue('http://me@proxy.example:8080')
  await expect(network).toContainText('One is stored')
  const chooser = page.waitForEvent('filechooser')
  await press(page, network.getByRole('button', { name: 'Choose a PEM file' }))
  await (await chooser).setFiles(fileURLToPath(new URL('../support/certificates/localhost.key', import.meta.url)))
  await expect(network).toContainText('private key')
  await shell.allowInBox()
  await network.getByLabel('Certificate authorities as PEM').setInputFiles(authority)
  await expect(network.getByRole('list', { name: 'Certificates' })).toContainText(/Parley test authority.*expires/)
  await expectNoFaults(page)
  await page.reload()
  await expect(address).toHaveValue('http://me@proxy.example:8080')
  await expect(network.getByRole('list', { name: 'Certificates' })).toContainText('Parley test authority')
})

test.describe('a home with programs outside PATH', () => {
  const script = (text: string) => `#!${process.execPath}\n${text}\n`
  const downloads = (home: string) => `
    const { existsSync } = require('node:fs')
    console.error('Downloading thing (12.3MiB)')
    const timer = setInterval(() => {
      if (!existsSync('${join(home, 'go')}')) return
      clearInterval(timer)
      import('${WORKS}')
    }, 50)`

  const test = base.extend({
    shellOptions: async ({ tempFolder: home }, use) => {
      const prepare = async (folder: string) => {
        await mkdir(join(home, '.local', 'bin'), { recursive: true })
        for (const [name, text] of [
          ['found-me', `import('${WORKS}')`],
          ['uvx', downloads(home)],
        ] as const) {
          await writeFile(join(home, '.local', 'bin', name), script(text))
          await chmod(join(home, '.local', 'bin', name), 0o755)
        }
        await configure(folder, { finds: { command: 'found-me', args: [] } })
      }
      await use({ env: { HOME: home, SHELL: '' }, prepare })
    },
  })

  test('has a missing command used from where it is, and a download reported while it lasts', { tag: '@long' }, async ({
    shell,
    page,
    tempFolder: home,
  }) => {
    await shell.trustServer('allow')
    await expectServerState(page, 'finds', 'Failed')
    await expect(serverRow(page, 'finds')).toContainText('“found-me” was not found')
    await serverRow(page, 'finds').getByRole('link', { name: 'finds' }).click()
    await page.getByRole('tab', { name: 'Overview' }).focus()
    await press(page, doctor(page).getByRole('button', { name: /^Use .*found-me$/ }))
    await allow(shell)
    await expect(page.getByRole('main')).toContainText('Ready')

    await configure(shell.folder, { loads: { command: join(home, '.local', 'bin', 'uvx'), args: ['thing'] } })
    await shell.trustServer('allow')
    await expectServerState(page, 'loads', 'Installing')
    await expect(serverRow(page, 'loads')).toContainText('Downloading thing (12.3MiB)')
    await serverRow(page, 'loads').getByRole('link', { name: 'loads' }).click()
    await expect(page.getByRole('main')).toContainText('Downloading thing (12.3MiB)')
    await expectNoFaults(page)
    await writeFile(join(home, 'go'), '')
    await expect(page.getByRole('main')).toContainText('Ready')
  })
})

test('an unknown authority is added in the settings, then a wrong path is corrected', { tag: '@long' }, async ({
  shell,
  page,
}) => {
  const far = await HttpServer.listen()
  far.path = '/mcp'
  const front = await tlsFront(far.url)
  try {
    await configure(shell.folder, { far: { url: front.url.replace('/mcp', '/wrong') } })
    await shell.trustServer('allow')
    await expectServerState(page, 'far', 'Failed')
    await press(page, serverRow(page, 'far').getByRole('button', { name: 'Open settings' }))
    const network = page.getByRole('region', { name: 'Network' })
    await expect(network).toBeInViewport()
    await shell.allowInBox()
    await network.getByLabel('Certificate authorities as PEM').setInputFiles(authority)
    await expect(network.getByRole('list', { name: 'Certificates' })).toContainText('Parley test authority')
    await goTo(page, 'Servers')
    await serverRow(page, 'far').getByRole('link', { name: 'far' }).click()
    await doctor(page).getByRole('button', { name: 'Try again' }).click()
    await expect(doctor(page)).toContainText('404')
    await expectNoFaults(page)
    await doctor(page).getByRole('button', { name: 'Edit address' }).click()
    const editor = page.getByRole('dialog', { name: 'Edit server' })
    await expect(editor.getByRole('textbox', { name: 'URL' })).toBeFocused()
    await page.keyboard.press('Escape')
    await goTo(page, 'Servers')
    await press(page, serverRow(page, 'far').getByRole('button', { name: /^Use .*mcp$/ }))
    await allow(shell)
    await expect(serverRow(page, 'far')).toContainText('Ready')
  } finally {
    await front.close()
    await far.close()
  }
})

test('a choice that breaks a server is undone by the doctor’s button, and the model is asked the same way', {
  tag: '@long',
}, async ({ shell, page }) => {
  await test.step('what was chosen against a server is taken back by the button that the doctor names', async () => {
    await configure(shell.folder, { held: { command: process.execPath, args: [server('small/ok.mjs')] } })
    await shell.trustServer('allow')
    await expectServerState(page, 'held', 'Ready')
    await serverRow(page, 'held').getByRole('link', { name: 'held' }).click()
    await page.getByRole('tab', { name: /Tools/ }).click()
    for (const tool of ['echo', 'env', 'level', 'log', 'crash', 'grow']) {
      await page.getByLabel(`Enabled: ${tool}`).uncheck()
    }
    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.getByRole('button', { name: 'Check connection' }).click()
    await expect(doctor(page)).toContainText('None of its tools')
    await press(page, doctor(page).getByRole('button', { name: 'Enable its tools' }))
    await page.getByRole('tab', { name: /Tools/ }).click()
    await expect(page.getByLabel('Enabled: echo')).toBeChecked()

    await page.getByRole('button', { name: 'Edit server' }).click()
    const editor = page.getByRole('dialog', { name: 'Edit server' })
    await editor.getByText('Advanced').click()
    await editor.getByRole('combobox', { name: 'Protocol version' }).selectOption({ label: '2026-07-28 only' })
    await editor.getByRole('button', { name: 'Save' }).click()
    await expectServerState(page, 'held', 'Failed')
    await press(page, serverRow(page, 'held').getByRole('button', { name: 'Use any version' }))
    await expect(serverRow(page, 'held')).toContainText('Ready')
  })
  await test.step('a server that may not ask the model is allowed to from its row', async () => {
    await configure(shell.folder, { thinker: { command: process.execPath, args: ['--input-type=module', '-e', NEEDS_MODEL] } })
    await shell.trustServer('allow')
    await expectServerState(page, 'thinker', 'Ready')
    await serverRow(page, 'thinker').getByRole('link', { name: 'thinker' }).click()
    await page.getByRole('combobox', { name: /Sampling/ }).selectOption({ label: 'Refuse' })
    await page.getByRole('button', { name: 'Restart server' }).click()
    await expectServerState(page, 'thinker', 'Failed')
    const allows = serverRow(page, 'thinker').getByRole('button', { name: 'Allow it to ask your model' })
    await expect(serverRow(page, 'thinker')).toContainText('asking your model')
    await press(page, allows)
    await expectServerState(page, 'thinker', 'Ready')
    await serverRow(page, 'thinker').getByRole('link', { name: 'thinker' }).click()
    await expect(page.getByRole('combobox', { name: /Sampling/ })).toHaveValue('ask')
  })
})

/** Of 2026-07-28: takes part only where it may ask for the model. */
const NEEDS_MODEL = `
  import { createInterface } from 'node:readline'
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    const can = params._meta['io.modelcontextprotocol/clientCapabilities']
    if (!can.sampling) return say({ id, error: { code: -32021, message: 'no', data: { requiredCapabilities: { sampling: {} } } } })
    if (method === 'server/discover')
      say({ id, result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} } })
  })`
