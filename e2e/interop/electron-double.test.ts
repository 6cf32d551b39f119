import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { modelled, onlyKeys } from '../electron/double/modelled.ts'
import { ModelledEvents, preventable } from '../electron/double/modelled-events.ts'
import { becomeReady } from '../electron/double/readiness.ts'
import { answerScheme, fromChromium, protocol, toChromium } from '../electron/double/scheme.ts'
import { node, root, ShellProcess } from '../shells/shell-process.ts'

describe('the desktop app', () => {
  it.each([
    ['the place that the system gives', false, 'Parley'],
    ['a folder that the person names', true, 'mine'],
  ])('separates the data in %s from Chromium’s own', async (_where, named, name) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-profile-'))
    try {
      const hook = pathToFileURL(join(root, 'e2e', 'electron', 'hook.ts')).href
      const app = new ShellProcess(
        node,
        ['--import', hook, join(root, 'out', 'main', 'electron.js'), ...(named ? ['--data', join(folder, name)] : [])],
        {
          XDG_DATA_HOME: folder,
          PARLEY_DOUBLE_BROWSER: '',
        },
      )
      // Without a browser it goes no further than its lock, which Chromium keeps in its profile.
      await app.ended()
      expect(await readdir(join(folder, name))).toEqual(['electron'])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('the double of Electron', () => {
  it('throws for what it does not model, instead of returning undefined', async () => {
    const thing = modelled('app', { quit: () => 'gone' }) as { quit(): string; relaunch?(): void }
    expect(thing.quit()).toBe('gone')
    expect(() => thing.relaunch).toThrow('not modelled: app.relaunch')
    expect(() => {
      thing.relaunch = () => {}
    }).toThrow('not modelled: setting app.relaunch')
    // Awaiting one asks for `then`, which is no use of it.
    expect(await thing).toBe(thing)
  })

  it('throws for events that it never emits and options that it would ignore', () => {
    const events = new ModelledEvents('app', ['ready'])
    expect(() => events.on('ready', () => {})).not.toThrow()
    expect(() => events.on('gpu-info-update', () => {})).toThrow('not modelled: app event gpu-info-update')
    expect(() => onlyKeys('BrowserWindow', { kiosk: true }, ['width'])).toThrow('not modelled: BrowserWindow option kiosk')
  })

  it('emits events that can be prevented', () => {
    const event = preventable({ url: 'parley-page://app/' })
    expect(event.defaultPrevented).toBe(false)
    event.preventDefault()
    expect(event.defaultPrevented).toBe(true)
  })

  it("serves the app's scheme by its handler, headers included, and no other address", async () => {
    protocol.registerSchemesAsPrivileged([{ scheme: 'parley-page', privileges: { standard: true, secure: true } }])
    expect(() => protocol.registerSchemesAsPrivileged([])).toThrow('can only be called once')
    expect(() => protocol.handle('parley-page', () => new Response())).toThrow('before app is ready')
    becomeReady()
    expect(() => protocol.registerSchemesAsPrivileged([])).toThrow('should be called before app is ready')
    protocol.handle('parley-page', (request) => new Response(request.url, { headers: { 'content-security-policy': 'sandbox' } }))
    const url = toChromium('parley-page://app/index.html?a=1')
    expect(url).toBe('http://app.parley-page.localhost/index.html?a=1')
    expect(fromChromium(url)).toBe('parley-page://app/index.html?a=1')
    const answer = await answerScheme(url, 'GET')
    expect(answer?.headers['content-security-policy']).toBe('sandbox')
    expect(String(answer?.body)).toBe('parley-page://app/index.html?a=1')
    expect(await answerScheme('https://example.com/', 'GET')).toBeUndefined()
  })
})
