import { describe, expect, it } from 'vitest'
import { desktopPowers, dictionariesFor, setLoginItem, setSpellCheck } from './system-settings.ts'

describe('the desktop settings', () => {
  it('include what the system supports', () => {
    const can = { notify: true, update: false }
    expect(desktopPowers({ os: 'darwin', packaged: true }, can)).toEqual(['tray', 'login-item', 'spell-check', 'notifications'])
    expect(desktopPowers({ os: 'linux', packaged: true }, can)).not.toContain('login-item')
    expect(desktopPowers({ os: 'win32', packaged: false }, can)).not.toContain('login-item')
    expect(desktopPowers({ os: 'win32', packaged: true }, { notify: false, update: true })).toEqual([
      'tray',
      'login-item',
      'spell-check',
      'updates',
    ])
  })

  it('tell the system of the login item only when it changed', () => {
    const told: unknown[] = []
    const app = {
      getLoginItemSettings: () =>
        ({ openAtLogin: true }) as ReturnType<Parameters<typeof setLoginItem>[0]['getLoginItemSettings']>,
      setLoginItemSettings: (settings: unknown) => void told.push(settings),
    }
    setLoginItem(app, true)
    setLoginItem(app, false)
    expect(told).toEqual([{ openAtLogin: false }])
  })
})

describe('the spell checker', () => {
  const session = () => {
    const told: unknown[] = []
    return {
      told,
      availableSpellCheckerLanguages: ['de', 'en-GB', 'en-US', 'fr'],
      setSpellCheckerEnabled: (on: boolean) => void told.push(on),
      setSpellCheckerLanguages: (languages: string[]) => void told.push(languages),
      setSpellCheckerDictionaryDownloadURL: (url: string) => void told.push(url),
    }
  }

  it('has no address to download from while it is off, and is told so first', () => {
    const off = session()
    setSpellCheck(off, false, 'linux', ['de-DE'])
    expect(off.told).toEqual(['http://127.0.0.1:9/', [], false])
  })

  it('learns the languages of the system when it is turned on', () => {
    const on = session()
    setSpellCheck(on, true, 'win32', ['de-DE', 'en-GB', 'tlh'])
    expect(on.told).toEqual([expect.stringMatching(/^https:/), ['de', 'en-GB'], true])
    const mac = session()
    setSpellCheck(mac, true, 'darwin', ['de-DE'])
    expect(mac.told).toEqual([true])
  })

  it('uses English where the system’s language has no dictionary', () => {
    expect(dictionariesFor(['tlh'], ['en-US', 'fr'])).toEqual(['en-US'])
    expect(dictionariesFor(['tlh'], ['fr'])).toEqual([])
  })
})
