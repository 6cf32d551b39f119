import type { App, Session } from 'electron'
import type { DesktopPower } from '../../../../src-shared/contract/setting-fields.ts'

/** Where Chromium's dictionaries lie. */
const DICTIONARIES = 'https://redirector.gvt1.com/edgedl/chrome/dict/'
/** Nothing listens there, and it is no other computer. */
const NOWHERE = 'http://127.0.0.1:9/'

export interface System {
  /** `process.platform`. */
  readonly os: string
  /** Not the sources on Electron's own program, which is what the system would start and register. */
  readonly packaged: boolean
}

/** The features of this desktop, so that Settings offer nothing else. */
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

/** Until it is known whether anything is to be checked: a session that is opened fetches a dictionary for the system's language by itself. */
export function fetchNoDictionaries(session: Pick<Session, 'setSpellCheckerDictionaryDownloadURL'>, os: string): void {
  if (os !== 'darwin') session.setSpellCheckerDictionaryDownloadURL(NOWHERE)
}

/** Off, it has no languages, and nowhere to fetch them from. A Mac has a checker of its own, which asks nobody. */
export function setSpellCheck(session: SpellChecker, on: boolean, os: string, preferred: readonly string[]): void {
  if (os !== 'darwin') {
    session.setSpellCheckerDictionaryDownloadURL(on ? DICTIONARIES : NOWHERE)
    session.setSpellCheckerLanguages(on ? dictionariesFor(preferred, session.availableSpellCheckerLanguages) : [])
  }
  session.setSpellCheckerEnabled(on)
}

/** Dictionaries for the languages of the system: exactly, else by language alone; English when there is none. */
export function dictionariesFor(preferred: readonly string[], available: readonly string[]): string[] {
  const found = preferred.flatMap((wanted) => {
    const language = wanted.split('-')[0]
    return available.find((one) => one === wanted) ?? available.find((one) => one === language) ?? []
  })
  const unique = [...new Set(found)].slice(0, 4)
  return unique.length > 0 ? unique : available.filter((one) => one === 'en-US')
}

/** Tells the system only what it does not know: a person may have changed it there. */
export function setLoginItem(app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>, on: boolean): void {
  if (app.getLoginItemSettings().openAtLogin !== on) app.setLoginItemSettings({ openAtLogin: on })
}
