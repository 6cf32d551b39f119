import type { App, Session } from 'electron'
import type { DesktopPower } from '../../../../src-shared/contract/setting-fields.ts'

/** Chromium's dictionaries. */
const DICTIONARIES = 'https://redirector.gvt1.com/edgedl/chrome/dict/'
/** An address on this computer where nothing listens. */
const NOWHERE = 'http://127.0.0.1:9/'

export interface System {
  /** `process.platform`. */
  readonly os: string
  /** False for the sources: the system would register Electron's own program. */
  readonly packaged: boolean
}

/** The features of this desktop, for Settings. */
export function desktopPowers({ os, packaged }: System, can: { notify: boolean; update: boolean }): readonly DesktopPower[] {
  const powers: readonly (readonly [DesktopPower, boolean])[] = [
    ['tray', true],
    ['login-item', packaged && os !== 'linux'],
    ['spell-check', true],
    ['notifications', can.notify],
    ['updates', can.update],
  ]
  return powers.filter(([, has]) => has).map(([power]) => power)
}

type SpellChecker = Pick<
  Session,
  | 'setSpellCheckerEnabled'
  | 'setSpellCheckerLanguages'
  | 'setSpellCheckerDictionaryDownloadURL'
  | 'availableSpellCheckerLanguages'
>

/** Prevents downloads before the setting is known: a new session fetches a dictionary by itself. */
export function fetchNoDictionaries(session: Pick<Session, 'setSpellCheckerDictionaryDownloadURL'>, os: string): void {
  if (os !== 'darwin') session.setSpellCheckerDictionaryDownloadURL(NOWHERE)
}

/** When off, there are no languages and no downloads. A Mac has its own checker without downloads. */
export function setSpellCheck(session: SpellChecker, on: boolean, os: string, preferred: readonly string[]): void {
  if (os !== 'darwin') {
    session.setSpellCheckerDictionaryDownloadURL(on ? DICTIONARIES : NOWHERE)
    session.setSpellCheckerLanguages(on ? dictionariesFor(preferred, session.availableSpellCheckerLanguages) : [])
  }
  session.setSpellCheckerEnabled(on)
}

/** Dictionaries for the system's locales, else for their languages, else English. */
export function dictionariesFor(preferred: readonly string[], available: readonly string[]): string[] {
  const found = preferred.flatMap((wanted) => {
    const language = wanted.split('-')[0]
    return available.find((one) => one === wanted) ?? available.find((one) => one === language) ?? []
  })
  const unique = [...new Set(found)].slice(0, 4)
  return unique.length > 0 ? unique : available.filter((one) => one === 'en-US')
}

/** Changes the login item only if needed, since the person may have changed it in the system. */
export function setLoginItem(app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>, on: boolean): void {
  if (app.getLoginItemSettings().openAtLogin !== on) app.setLoginItemSettings({ openAtLogin: on })
}
