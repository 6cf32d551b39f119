import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { VIEW_SWITCHES } from '../../src-main/shells/electron/view-switches.ts'
import { ALLOW } from '../shells/built-shell.ts'
import { DoubleShell } from '../shells/double-shell.ts'
import { press } from '../shells/press.ts'
import { test as base, expect } from '../shells/shell-test.ts'
import { startShell } from '../shells/start-shell.ts'
import { processes } from '../shells/web-process.ts'
import { expectServerState, goTo, newConversation, official, send, serverRow, trust } from './steps.ts'

const test = base.extend<{ app: DoubleShell }>({
  app: async ({ shell }, use) => {
    if (!(shell instanceof DoubleShell)) throw new Error('This spec is about the desktop shell')
    await use(shell)
  },
})

test.use({
  shellOptions: {
    prepare: (folder) => {
      const everything = { command: process.execPath, args: [official('server-everything'), 'stdio'] }
      return writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { everything } }))
    },
  },
})

test.describe('the page', () => {
  test('has one channel, may only copy text, cannot navigate away, and is served in its main frame alone (ARCH-06, SEC-19, SEC-23)', async ({
    app,
  }) => {
    await test.step('reaches one channel with two functions and nothing else of Electron or Node', async () => {
      const seen = await app.page.evaluate(() => ({
        channel: Object.keys(Reflect.get(window, 'parleyChannel')),
        frozen: Object.isFrozen(Reflect.get(window, 'parleyChannel')),
        node: ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter((name) => name in window),
      }))
      expect(seen).toEqual({ channel: ['send', 'onFrame'], frozen: true, node: [] })
      expect(await app.order({ do: 'list-ipc-channels' })).toEqual(['parley'])
    })
    await test.step('gets no permission but to copy text', async () => {
      const ours = 'parley-page://app/index.html'
      const ask = (permission: string, url: string, isMainFrame = true) =>
        app.order({ do: 'ask-permission', permission, url, isMainFrame })
      for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'fileSystem', 'hid']) {
        expect(await ask(permission, ours)).toEqual({ requested: false, checked: false, device: false })
      }
      expect(await ask('clipboard-sanitized-write', ours)).toMatchObject({ requested: true, checked: true })
      expect(await ask('clipboard-sanitized-write', 'https://example.com/')).toMatchObject({ requested: false, checked: false })
      expect(await ask('clipboard-sanitized-write', 'parley-page://app.example/')).toMatchObject({
        requested: false,
        checked: false,
      })
      // A view of a server lies under the page's own address.
      expect(await ask('clipboard-sanitized-write', `parley-page://app/app/${'A'.repeat(32)}`, false)).toMatchObject({
        requested: false,
        checked: false,
      })
    })
    await test.step('has the switches of the browser that guard against views', async () => {
      const set = app.calls.flatMap(({ name, args }) => (name === 'app.commandLine.appendSwitch' ? [args] : []))
      expect(Object.fromEntries(set)).toEqual(VIEW_SWITCHES)
    })
    await test.step('is heard from its main frame alone: not from an iframe, another window or another address', async () => {
      await app.trustServer('deny')
      const main = app.page.getByRole('navigation', { name: 'Main' })
      await expect(main).toBeVisible()
      const rename = (theme: 'dark' | 'light') =>
        JSON.stringify({ t: 'request', id: 1_000_000, name: 'settings.change', params: { settings: { theme } } })
      const theme = () => app.page.evaluate(() => document.documentElement.dataset.theme ?? '')
      const before = await theme()
      for (const from of ['iframe', 'other-window', 'main-frame-elsewhere', 'gone-frame', 'disposed-frame'] as const) {
        await app.order({ do: 'ipc', from, channel: 'parley', message: rename('dark') })
      }
      // The same message from the page itself comes last and is the only one that counts.
      await app.order({ do: 'ipc', from: 'page', channel: 'parley', message: rename('light') })
      await expect.poll(theme).toBe('light')
      expect(before).not.toBe('light')
    })
    await test.step('ends nothing by malformed or endless frames', async () => {
      for (const message of ['{', '[]', 'null', 7, -7, { t: 'hello' }, 'x'.repeat(1024 * 1024 + 1)]) {
        await app.order({ do: 'ipc', from: 'page', channel: 'parley', message })
      }
      await goTo(app.page, 'Servers')
      await expect(serverRow(app.page, 'everything')).toBeVisible()
    })
    app.forgivePageErrors()
    await test.step('cannot leave for another address, and opens no window', async () => {
      const home = app.page.url()
      // The one that is let through comes last: once it is heard of, so are the others.
      for (const url of ['file:///etc/passwd', 'http://127.0.0.1:9/', 'data:text/html,hi', 'https://example.com/']) {
        await app.page.evaluate((target) => {
          location.href = target
        }, url)
        await app.page.evaluate((target) => void window.open(target), url)
      }
      await expect.poll(() => app.called('shell.openExternal')).toEqual([['https://example.com/']])
      expect(app.page.url()).toBe(home)
      await expect.poll(() => app.page.context().pages().length).toBe(1)
      await expect(app.page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    })
    await test.step('opens only https links outside', async () => {
      await app.page.evaluate(() => {
        for (const url of [
          'http://example.com/b',
          'ms-settings:',
          'smb://host/share',
          'file:///bin/sh',
          'https://example.com/a',
        ]) {
          const link = document.createElement('a')
          Object.assign(link, { href: url, target: '_blank', rel: 'noopener' })
          document.body.append(link)
          link.click()
        }
      })
      await expect.poll(() => app.called('shell.openExternal')).toEqual([['https://example.com/'], ['https://example.com/a']])
    })
    await test.step('is still answered when it was kept from leaving', async () => {
      await app.page.evaluate(() => {
        location.href = 'https://example.com/'
      })
      await newConversation(app.page)
      await send(app.page, 'hello')
      await expect(app.page.getByRole('article').filter({ hasText: 'Demo' })).toBeVisible()
    })
  })
})

test.describe('trust in a server', () => {
  test("needs the native box: the page's own Allow starts nothing; the question is announced in the background, and the box closed when it is over (ARCH-06, SEC-22)", async ({
    app,
  }) => {
    await app.denyInBox()
    await expect(trust(app.page)).toBeHidden()
    await expectServerState(app.page, 'everything', /Denied|Stopped|Not allowed/i)
    const [[box]] = app.called('dialog.showMessageBox') as [
      [{ detail: string; buttons: string[]; defaultId: number; cancelId: number }],
    ]
    // The box breaks long lines, also within a path.
    expect(box.detail.replace(/\s+/g, '')).toContain(official('server-everything'))
    expect([box.buttons[box.defaultId], box.buttons[box.cancelId]]).toEqual(['Deny', 'Deny'])
    expect(app.called('Notification.show')).toEqual([])
    await app.order({ do: 'blur-window' })
    await goTo(app.page, 'Servers')
    await serverRow(app.page, 'everything').getByRole('button', { name: 'Actions for everything' }).click()
    await app.page.getByRole('menuitem', { name: 'Start server' }).click()
    await expect.poll(() => app.called('Notification.show').length).toBe(1)
    await test.step('the native box is taken back when what it asks about is over', async () => {
      await app.order({ do: 'leave-message-box-open' })
      await press(trust(app.page).getByRole('button', { name: 'Allow' }))
      await expect.poll(() => app.called('dialog.showMessageBox').length).toBe(2)
      await writeFile(join(app.folder, 'mcp.json'), '{"mcpServers":{}}')
      await expect.poll(() => app.order({ do: 'answer-open-box', response: ALLOW })).toBe(false)
      await goTo(app.page, 'Servers')
      await expect(serverRow(app.page, 'everything')).toHaveCount(0)
    })
  })
})

test.describe('the app', () => {
  test('comes to the front when it is started again, shows its questions again when the page crashes, and ends cleanly (ARCH-06)', async ({
    app,
  }) => {
    await test.step('comes to the front when it is started again on the same folder', async () => {
      const before = app.called('window.focus').length
      expect(await app.startAgain()).toMatchObject({ code: 0, output: expect.stringContaining('is running already') })
      await expect.poll(() => app.called('window.focus').length).toBe(before + 1)
    })
    await test.step('comes back to the screen when it is started again while its window is minimised', async () => {
      await app.order({ do: 'minimize-window' })
      await app.startAgain()
      await expect.poll(() => app.called('window.restore').length).toBe(1)
    })
    await test.step('shows its questions again when the page crashes', async () => {
      await expect(trust(app.page)).toBeVisible()
      await app.order({ do: 'crash-page' })
      await app.newPage()
      await expect(trust(app.page)).toBeVisible()
      await app.trustServer('allow')
      await expectServerState(app.page, 'everything', 'Ready')
    })
    await test.step('ends cleanly when its window is closed', async () => {
      await app.order({ do: 'close-window' })
      expect(await app.quit()).toBe(0)
    })
  })

  test('reports a fatal error of its own, and ends what it started', async ({ app }) => {
    await app.trustServer('allow')
    await expectServerState(app.page, 'everything', 'Ready')
    await app.order({ do: 'throw', message: 'something unforeseen' })
    await expect.poll(() => app.called('dialog.showErrorBox').flat().join(' ')).toContain('something unforeseen')
    expect(await app.quit()).toBe(1)
    expect(processes(({ parent }) => parent === app.pid)).toEqual([])
  })
})

base(
  'does not start on a command line that it cannot read, nor without the sandbox, as an AppImage would (SEC-19)',
  async ({ chromium }) => {
    await test.step('a command line that it cannot read is refused in words', async () => {
      const start = startShell('electron', { browser: chromium, args: ['--data', ''] })
      await expect(start).rejects.toThrow(/^(?![\s\S]*\bat \w)[\s\S]*Parley did not start: --data needs the path of a folder/)
    })
    await test.step('nothing starts without the sandbox, as an AppImage would where namespaces are off', async () => {
      const start = startShell('electron', { browser: chromium, args: ['--no-sandbox'] })
      await expect(start).rejects.toThrow(/Parley did not start: its sandbox is switched off/)
    })
  },
)
