import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { ALLOW } from '../shells/built-shell.ts'
import { DoubleShell } from '../shells/double-shell.ts'
import { press } from '../shells/press.ts'
import { test as base, expect } from '../shells/shell-test.ts'
import { notesBundle } from '../support/bundle.ts'
import { filesystemByNpx, pathWithNpx } from '../support/npx-on-path.ts'
import {
  addLocalServer,
  addTrustedServer,
  answer,
  card,
  consent,
  expectServerState,
  expectStatus,
  goTo,
  goToSettings,
  highlighted,
  newConversation,
  send,
  server,
  serverRow,
  trust,
} from './steps.ts'

const test = base.extend<{ app: DoubleShell }>({
  app: async ({ shell }, use) => {
    if (!(shell instanceof DoubleShell)) throw new Error('This spec is about the desktop shell')
    await use(shell)
  },
})

/** The last record of the system under a name. */
const last = (app: DoubleShell, name: string) => JSON.stringify(app.called(name).at(-1) ?? '')
const opened = (app: DoubleShell) => app.called('BrowserWindow').at(-1)?.[0]

/** Lets Parley keep running without its window, and returns once the host has saved it. */
async function keepRunning(app: DoubleShell): Promise<void> {
  await goToSettings(app.page, 'Desktop')
  await app.page.getByRole('switch', { name: 'Keep running when the window is closed' }).click()
  // A switch shows the choice before the host has it. Settings are saved one after the other, and the system hears of this one.
  await app.page.getByRole('switch', { name: 'Check spelling' }).click()
  await expect.poll(() => last(app, 'session.setSpellCheckerEnabled')).toBe('[true]')
  await expect(app.page.getByRole('switch', { name: 'Keep running when the window is closed' })).toBeChecked()
}
const message = (app: DoubleShell) => app.page.getByRole('textbox', { name: 'Message' })
const link = (name: string, config: object) =>
  `parley://mcp/install?${new URLSearchParams({ name, config: Buffer.from(JSON.stringify(config)).toString('base64') })}`

test.describe('the tray and the menus', () => {
  test('show what waits and runs, open parts of the page, links, files, and a window that was closed, and ask before a call in the background is lost (TASK-34)', async ({
    app,
  }) => {
    await test.step('the tray tells what waits and what runs, leads there, and stops it', async () => {
      const { page } = app
      await addTrustedServer(app, { name: 'slow', args: [server('small/slow.mjs')] })
      await newConversation(page)
      await send(page, `use slow/wait with file="${join(app.folder, 'never')}"`)
      await expect.poll(() => last(app, 'tray.setToolTip')).toContain('1 question needs you · 1 reply running')
      expect(last(app, 'app.setBadgeCount')).toBe('[1]')
      await goTo(page, 'Settings')
      expect(await app.order({ do: 'click-menu', menu: 'tray', labels: ['1 question needs you'] })).toBe(true)
      await expect(page.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible()
      const menu = app.called('tray.setContextMenu').at(-1)?.[0] as readonly { label: string; submenu?: unknown }[]
      const turn = menu.find(({ submenu }) => submenu)?.label ?? ''
      expect(turn).toMatch(/^use slow/)
      await app.order({ do: 'click-menu', menu: 'tray', labels: [turn, 'Open'] })
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'wait'), 'Running')
      await expect.poll(() => last(app, 'tray.setToolTip')).not.toContain('needs you')
      await app.order({ do: 'click-menu', menu: 'tray', labels: [turn, 'Stop'] })
      await expectStatus(card(page, 'wait'), 'Cancelled')
      await expect.poll(() => last(app, 'tray.setToolTip')).not.toContain('running')
    })
    await test.step('Ctrl F finds on the screen, steps through what it found, and gives the focus back', async () => {
      const { page } = app
      await newConversation(page)
      await send(page, 'where is the Walrus, walrus?')
      await expect(page.getByRole('region', { name: 'Messages' })).toContainText('walrus')
      await page.getByRole('textbox', { name: 'Message' }).focus()
      await page.keyboard.press('ControlOrMeta+f')
      const field = page.getByRole('searchbox', { name: 'Find', exact: true })
      await expect(field).toBeFocused()
      const count = page.getByRole('search', { name: 'On this screen' }).getByRole('status')

      await field.fill('WALRUS')
      await expect(count).toHaveText(/^1 of \d+$/)
      const found = await highlighted(page, 'found')
      expect(found.length).toBeGreaterThanOrEqual(2)
      expect(found.slice(0, 2)).toEqual(['Walrus', 'walrus'])
      expect(await highlighted(page, 'found-now')).toEqual(['Walrus'])
      await field.press('Enter')
      await expect(count).toHaveText(`2 of ${found.length}`)
      expect(await highlighted(page, 'found-now')).toEqual(['walrus'])
      await field.press('Shift+Enter')
      await field.press('Shift+Enter')
      await expect(count).toHaveText(`${found.length} of ${found.length}`)

      await field.fill('no such words here')
      await expect(count).toHaveText('Not found')
      await field.press('Escape')
      await expect(field).toBeHidden()
      await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
      expect(await highlighted(page, 'found')).toEqual([])
    })
    await test.step('menus open what the page has by its own keys, and fix a spelling', async () => {
      const { page } = app
      const choose = (...labels: string[]) => app.order({ do: 'click-menu', menu: 'application', labels })
      await choose('File', 'Settings…')
      await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
      await choose('View', 'Command palette')
      await expect(page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox')).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog', { name: 'Command palette' })).toHaveCount(0)
      await choose('File', 'New conversation')
      await expect(message(app)).toBeFocused()
      const editFlags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true }
      const clicked = {
        isEditable: true,
        editFlags,
        misspelledWord: 'teh',
        dictionarySuggestions: ['the'],
        selectionText: '',
        linkURL: '',
      }
      await app.order({ do: 'context-menu', clicked })
      await app.order({ do: 'click-menu', menu: 'context', labels: ['the'] })
      await app.order({ do: 'click-menu', menu: 'context', labels: ['Add to dictionary'] })
      expect(last(app, 'webContents.replaceMisspelling')).toBe('["the"]')
      expect(last(app, 'session.addWordToSpellCheckerDictionary')).toBe('["teh"]')
    })
    await test.step('a link from outside opens a review, a conversation or a refusal, and starts nothing', async () => {
      const { page } = app
      const before = app.called('window.focus').length
      await newConversation(page)
      await send(page, 'hello')
      await expect(page).toHaveURL(/conversations\/[0-9a-f-]{36}$/)
      const id = page.url().split('/').at(-1)
      await goTo(page, 'Servers')
      await app.startAgain(`parley://conversation/${id}`)
      await expect(page).toHaveURL(new RegExp(`conversations/${id}$`))
      await app.startAgain(link('files', { command: 'npx', args: ['-y', 'server-files'], env: { KEY: 'x' } }))
      await expect(page.getByRole('heading', { name: 'Import servers', level: 1 })).toBeVisible()
      await expect(page.getByRole('main')).toContainText('From a link. Nothing starts before you allow it.')
      await expect(page.getByRole('main')).toContainText('server-files')
      await goTo(page, 'Servers')
      await expect(serverRow(page, 'Playground')).toBeVisible()
      await expect(serverRow(page, 'files')).toHaveCount(0)
      await app.startAgain('parley://mcp/install?name=evil&config=%24(touch%20owned)', '--data', '/nowhere')
      await expect(page.getByRole('region', { name: 'Notices' })).toContainText('A link was not opened.')
      expect(app.called('window.focus').length).toBe(before + 3)
      await expect(serverRow(page, 'evil')).toHaveCount(0)
    })
    await test.step('a file is attached when it is opened with Parley, and a folder is not', async () => {
      const file = join(app.folder, 'notes.txt')
      await writeFile(file, 'for the trip')
      await goTo(app.page, 'Settings')
      await app.startAgain(file, app.folder)
      await expect(app.page.getByRole('list', { name: 'Attached to your message' })).toContainText('notes.txt')
      await expect(app.page.getByRole('list', { name: 'Attached to your message' }).getByRole('listitem')).toHaveCount(1)
    })
    await test.step('the window can go while Parley stays, by a setting, and comes back from the tray', async () => {
      await keepRunning(app)
      await expect(app.page.getByRole('switch', { name: 'Start at login' })).toHaveCount(0)
      await expect(app.page.getByText('Check for updates')).toHaveCount(0)
      expect(app.called('session.setSpellCheckerEnabled')[0]).toEqual([false])
      expect(app.called('session asks for a dictionary')).toEqual([])
      expect(app.called('session.setSpellCheckerDictionaryDownloadURL')[0]).toEqual(['http://127.0.0.1:9/'])
      await app.order({ do: 'close-window' })
      await app.order({ do: 'click-tray' })
      const page = await app.newPage()
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    })
    await test.step('Quitting asks about a call in the background, and stays unless the person quits', async () => {
      const { page } = app
      await addTrustedServer(app, { name: 'far', args: [server('sdk/tasks.mjs'), 'session', app.folder] })
      await newConversation(page)
      await send(page, 'use far/report')
      await answer(page, 'Allow once')
      await expectStatus(card(page, 'report'), 'In the background')
      await app.order({ do: 'click-menu', menu: 'tray', labels: ['Quit Parley'] })
      await expect.poll(() => last(app, 'dialog.showMessageBox')).toContain('“report” of far may be lost')
      await expectStatus(card(page, 'report'), 'In the background')
      await app.order({ do: 'answer-message-box', response: 1 })
      await app.order({ do: 'click-menu', menu: 'tray', labels: ['Quit Parley'] })
      await expect.poll(() => app.called('app.quit').length).toBe(1)
    })
  })
})

test.describe('the window', () => {
  const env: Record<string, string> = { PARLEY_DOUBLE_DISPLAYS: '2' }
  test.use({ shellOptions: { env } })

  const room = (app: DoubleShell) => app.page.evaluate(() => [innerWidth, innerHeight])
  const menu = (app: DoubleShell, ...labels: string[]) => app.order({ do: 'click-menu', menu: 'application', labels })

  test('is restored on an existing display, and is not shown before it has content', async ({ app }) => {
    await test.step('it comes back in its place, size and zoom, on a second display', async () => {
      expect(await room(app)).toEqual([1280, 840])
      await app.order({ do: 'move-window', bounds: { x: 2400, y: 80, width: 2100, height: 1200 } })
      for (const _ of [1, 2]) await menu(app, 'View', 'Zoom In')
      await expect.poll(() => room(app)).toEqual([1750, 1000])
      await app.restart()
      expect(opened(app)).toMatchObject({ x: 2400, y: 80, width: 2100, height: 1200 })
      await expect.poll(() => room(app)).toEqual([1750, 1000])
      expect(app.called('window.maximize')).toEqual([])
    })
    await test.step('it fills the screen again, is no larger than that, and is where a person can reach it', async () => {
      await menu(app, 'View', 'Actual Size')
      await app.order({ do: 'maximize-window' })
      await expect.poll(() => room(app)).toEqual([2560, 1400])
      await app.order({ do: 'minimize-window' })
      env.PARLEY_DOUBLE_DISPLAYS = '1'
      await app.restart()
      expect(opened(app)).toMatchObject({ width: 1920, height: 1040 })
      expect(opened(app)).not.toHaveProperty('x')
      expect(app.called('window.maximize')).toHaveLength(2)
      await expect.poll(() => room(app)).toEqual([1920, 1040])
    })
    await test.step('that is asked for twice while it loads is not shown before it has anything to show', async () => {
      await app.order({ do: 'click-menu', menu: 'application', labels: ['File', 'Settings…'] })
      await keepRunning(app)
      await app.order({ do: 'close-window' })
      const before = app.calls.length
      await app.order({ do: 'click-tray' })
      await app.order({ do: 'click-tray' })
      await app.newPage()
      const told = () => app.calls.slice(before).map(({ name }) => name)
      await expect.poll(told).toContain('window.show')
      const shown = told()
      expect(shown.indexOf('window is ready to show')).toBeGreaterThan(-1)
      expect(shown.indexOf('window.show')).toBeGreaterThan(shown.indexOf('window is ready to show'))
    })
  })
})

test.describe('Windows', () => {
  test.use({ shellOptions: { env: { PARLEY_DOUBLE_OS: 'win32' } } })

  test('shows waiting questions on its icon and in the action center, and ends the host at sign-out', async ({ app }) => {
    await test.step('the icon of the window shows that questions wait', async () => {
      const { page } = app
      await goTo(page, 'Servers')
      await addLocalServer(page, { name: 'ok', command: 'node', args: 'server.mjs' })
      await expect.poll(() => last(app, 'window.setOverlayIcon')).toMatch(/badge\.png","1 question needs you"\]$/)
      await trust(page).getByRole('button', { name: 'Deny', exact: true }).click()
      await expect.poll(() => last(app, 'window.setOverlayIcon')).toBe('[null,""]')
    })
    await test.step('a notification leaves the action center once its question is answered in the window', async () => {
      const { page } = app
      await goTo(page, 'Servers')
      await app.order({ do: 'blur-window' })
      await addLocalServer(page, { name: 'second', command: 'node', args: 'server.mjs' })
      await expect.poll(() => app.called('Notification.show').length).toBe(1)
      await app.order({ do: 'time-out-notification' })
      await trust(page).getByRole('button', { name: 'Deny', exact: true }).click()
      await expect.poll(() => app.called('notification.close').length).toBe(1)
    })
    await test.step('the host ends when the person signs out', async () => {
      const holder = () => readFile(join(app.folder, 'lock.json'), 'utf8').catch(() => 'nobody')
      expect(await holder()).toContain('"closing": false')
      await app.order({ do: 'end-session' })
      await expect.poll(holder).toBe('nobody')
    })
  })
})

test.describe('a restart of the app', () => {
  const restart = (app: DoubleShell) => {
    const message = JSON.stringify({ t: 'request', id: 1_000_000, name: 'app.restart', params: {} })
    return app.order({ do: 'ipc', from: 'page', channel: 'parley', message })
  }

  test('keeps the options, and opens nothing again', async ({ app }) => {
    await restart(app)
    await expect
      .poll(() => app.called('app.relaunch'))
      .toEqual([[[expect.stringMatching(/electron\.js$/), '--data', app.folder]]])
    expect(await app.quit()).toBe(0)
  })

  const image = test.extend({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
    shellOptions: async ({}, use) => {
      const env: Record<string, string> = {}
      await use({
        prepare: async (folder) => {
          env.APPIMAGE = join(folder, 'Parley.AppImage')
          await writeFile(env.APPIMAGE, `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/started-with"\n`, { mode: 0o755 })
        },
        env,
        packaged: true,
        args: ['parley://conversation/00000000-0000-0000-0000-000000000000'],
      })
    },
  })

  image('is done by the AppImage itself, whose files go with the app', async ({ app }) => {
    await restart(app)
    const startedWith = () => readFile(join(app.folder, 'started-with'), 'utf8').catch(() => '')
    await expect.poll(startedWith).toBe(`--data\n${app.folder}\n`)
    expect(await app.quit()).toBe(0)
  })
})

test.describe('a Mac that shows no notifications of unsigned apps', () => {
  test.use({ shellOptions: { env: { PARLEY_DOUBLE_OS: 'darwin', PARLEY_DOUBLE_UNSIGNED: '1' } } })

  test('makes Parley say so in its window, once', async ({ app }) => {
    const { page } = app
    await goTo(page, 'Servers')
    for (const name of ['one', 'two']) {
      await app.order({ do: 'blur-window' })
      await addLocalServer(page, { name, command: 'node', args: 'server.mjs' })
      await trust(page).getByRole('button', { name: 'Deny', exact: true }).click()
    }
    const notices = page.getByRole('region', { name: 'Notices' })
    await expect(notices).toContainText('This system does not show Parley’s notifications.')
    expect(app.called('Notification.show')).toHaveLength(2)
  })
})

test.describe('a Mac whose window closes during a native box of several pages', () => {
  test.use({
    shellOptions: {
      env: { PARLEY_DOUBLE_OS: 'darwin' },
      prepare: (folder) => {
        const long = { command: process.execPath, args: Array.from({ length: 30 }, (_, n) => `${n}${'x'.repeat(98)}`) }
        return writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { long } }))
      },
    },
  })

  test('gets a window before the next page, which would otherwise block everything', async ({ app }) => {
    await app.order({ do: 'leave-message-box-open' })
    await press(trust(app.page).getByRole('button', { name: 'Allow' }))
    await expect.poll(() => app.called('dialog.showMessageBox').length).toBe(1)
    await app.order({ do: 'close-window' })
    await app.order({ do: 'answer-open-box', response: ALLOW })
    await expect.poll(() => app.called('dialog.showMessageBox').length).toBe(2)
    expect(app.called('BrowserWindow')).toHaveLength(2)
    expect(last(app, 'dialog.showMessageBox')).toContain('page 2 of')
    await app.newPage()
  })
})

test.describe('a Mac', () => {
  test.use({ shellOptions: { env: { PARLEY_DOUBLE_OS: 'darwin', PATH: pathWithNpx() }, packaged: true } })

  test('opens links, answers a mild question from its notification, and starts Parley at login when told', async ({
    app,
    tempFolder,
  }) => {
    const { page } = app
    // From inside its archive, preload, page and pictures as well.
    expect(
      JSON.stringify([opened(app), last(app, 'Tray')]).match(/-app\/resources\/app\.asar\/out\/(main|preload)\//g),
    ).toHaveLength(2)
    expect(app.called('app.setAsDefaultProtocolClient')).toEqual([['parley']])
    // Mild is only what is known of a tool.
    await writeFile(join(app.folder, 'mcp.json'), JSON.stringify({ mcpServers: { files: filesystemByNpx(tempFolder) } }))
    await app.trustServer('allow')
    await expectServerState(page, 'files', 'Ready')
    await newConversation(page)
    await app.order({ do: 'blur-window' })
    await send(page, `use files/create_directory with path=${tempFolder}/a`)
    await expect.poll(() => last(app, 'Notification.show')).toContain('Run create_directory on files?')
    expect(last(app, 'Notification.show')).toContain('{"type":"button","text":"Allow once"}')
    // Neither takes a click that was meant for something else.
    await expect(consent(page).getByRole('button', { name: 'Allow once', exact: true })).toBeEnabled()
    await app.order({ do: 'click-notification', button: 'Allow once' })
    await expectStatus(card(page, 'create_directory'), 'Finished')
    await expect.poll(() => app.called('notification.close').length).toBe(1)
    await send(page, `use files/create_directory with path=${tempFolder}/b`)
    await expect.poll(() => app.called('Notification.show').length).toBe(2)
    // One that comes late comes under a pointer that meant something else.
    await app.order({ do: 'click-notification', button: 'Deny' })
    await expectStatus(card(page, 'create_directory'), 'Declined')
    await app.order({ do: 'hold-notifications' })
    await send(page, `use files/create_directory with path=${tempFolder}/c`)
    await expect.poll(() => app.called('Notification.show').length).toBe(3)
    await expect(consent(page).getByRole('button', { name: 'Allow once', exact: true })).toBeEnabled()
    await app.order({ do: 'click-notification', button: 'Allow once' })
    await expect(consent(page)).toBeVisible()
    await app.order({ do: 'lock-screen' })
    await app.order({ do: 'click-notification', button: 'Allow once' })
    await expect(consent(page)).toBeVisible()
    await app.order({ do: 'click-notification', button: 'Deny' })
    await expectStatus(card(page, 'create_directory'), 'Declined')
    await goToSettings(page, 'Desktop')
    await page.getByRole('switch', { name: 'Start at login' }).click()
    await expect.poll(() => last(app, 'app.setLoginItemSettings')).toBe('[{"openAtLogin":true}]')
    await app.order({ do: 'open-url', url: link('notes', { command: 'notes' }) })
    await expect(page.getByRole('heading', { name: 'Import servers', level: 1 })).toBeVisible()
    const config = join(app.folder, 'claude_desktop_config.json')
    await writeFile(config, JSON.stringify({ mcpServers: { maps: { command: 'maps' } } }))
    await app.order({ do: 'open-file', path: config })
    // It waits for the one that is being looked at.
    await expect(page.getByText('1 more waiting')).toBeVisible()
    await page.getByRole('button', { name: 'Skip to the next' }).click()
    await expect(page.getByRole('main')).toContainText('From claude_desktop_config.json.')
    // A double click on a bundle opens its review, and never more.
    const bundle = join(app.folder, 'notes.mcpb')
    await writeFile(bundle, notesBundle())
    await app.order({ do: 'open-file', path: bundle })
    await page.getByRole('button', { name: 'Skip to the next' }).click()
    await expect(page.getByRole('heading', { name: 'Install a server', level: 1 })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('From notes.mcpb.')
    // A second start with a bundle hands it to the open app.
    const again = join(app.folder, 'again.mcpb')
    await writeFile(again, notesBundle())
    await app.startAgain(again)
    await page.getByRole('button', { name: 'Skip to the next' }).click()
    await expect(page.getByRole('main')).toContainText('From again.mcpb.')
    expect(await readFile(join(app.folder, 'mcp.json'), 'utf8').catch(() => '')).not.toContain('Notes')
  })
})

test.describe('an update', () => {
  const updating = test.extend({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
    shellOptions: async ({}, use) => {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      // The program that the updater starts at the end.
      const release = '#!/bin/sh\nexit 0\n'
      const sha512 = createHash('sha512').update(release).digest('base64')
      const yml = `version: 9.0.0\nfiles:\n  - url: Parley.AppImage\n    sha512: ${sha512}\n    size: ${release.length}\n`
      const signature = sign(null, Buffer.from(yml), privateKey).toString('base64')
      const feed = createServer(({ url = '' }, response) => {
        response.end(url.includes('.sig') ? signature : url.includes('.yml') ? yml : release)
      })
      await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve))
      const address = feed.address()
      const port = typeof address === 'object' ? address?.port : 0
      await use({
        prepare: async (folder) => {
          await writeFile(join(folder, 'Parley.AppImage'), 'old')
          env.APPIMAGE = join(folder, 'Parley.AppImage')
          env.XDG_CACHE_HOME = join(folder, 'cache')
        },
        env: Object.assign(env, {
          PARLEY_UPDATE_FEED: `http://127.0.0.1:${port}/`,
          PARLEY_UPDATE_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
        }),
      })
      feed.closeAllConnections()
      await new Promise((resolve) => feed.close(resolve))
    },
  })
  const env: Record<string, string> = {}

  updating('comes by three clicks and a native question, and nothing is asked for before the first', async ({ app }) => {
    const { page } = app
    await goToSettings(page, 'Desktop')
    expect(app.called('net.request')).toEqual([])
    await page.getByRole('button', { name: 'Check for updates' }).click()
    await expect(page.getByText('Version 9.0.0 is available.')).toBeVisible()
    const asked = app.called('net.request').map(([path]) => String(path).split('?')[0])
    expect(asked).toEqual([expect.stringMatching(/^\/latest-linux.*\.yml$/), `${asked[0]}.sig`])
    await page.getByRole('button', { name: 'Download' }).click()
    await expect(page.getByText('Version 9.0.0 is downloaded and verified.')).toBeVisible()
    await page.getByRole('button', { name: 'Install and restart' }).click()
    await expect.poll(() => last(app, 'dialog.showMessageBox')).toContain('Install Parley 9.0.0?')
    expect(await readFile(join(app.folder, 'Parley.AppImage'), 'utf8')).toBe('old')
    await app.allowInBox()
    await page.getByRole('button', { name: 'Install and restart' }).click()
    await expect.poll(() => readFile(join(app.folder, 'Parley.AppImage'), 'utf8').catch(() => '')).toContain('exit 0')
    await expect.poll(() => app.called('app.quit').length).toBe(1)
  })
})
