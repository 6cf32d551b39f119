import { describe, expect, it } from 'vitest'
import { modelled, onlyKeys } from '../electron/double/modelled.ts'
import { ModelledEvents, preventable } from '../electron/double/modelled-events.ts'
import { answerScheme, fromChromium, protocol, toChromium } from '../electron/double/scheme.ts'

describe('the double of Electron', () => {
  it('throws for what it does not model, instead of giving undefined', async () => {
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

  it('gives events that can be prevented', () => {
    const event = preventable({ url: 'parley-page://app/' })
    expect(event.defaultPrevented).toBe(false)
    event.preventDefault()
    expect(event.defaultPrevented).toBe(true)
  })

  it("serves the app's scheme by its handler, headers included, and no other address", async () => {
    protocol.registerSchemesAsPrivileged([{ scheme: 'parley-page', privileges: { standard: true, secure: true } }])
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
