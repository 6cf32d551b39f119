import { app, session } from 'electron'
import type { Clock } from '../../../../src-shared/base/clock.ts'
import type { HostSnapshot } from '../../../../src-shared/contract/events.ts'
import type { Settings } from '../../../../src-shared/contract/settings.ts'
import type { Host } from '../../../host/host.ts'
import type { Notifier } from './notifier.ts'
import { type System, setLoginItem, setSpellCheck } from './system-settings.ts'
import { openTray } from './tray.ts'
import type { TrayAct } from './tray-menu.ts'

interface FollowOptions {
  readonly clock: Clock
  readonly system: System
  readonly notifier: Notifier
  readonly icon: string
  readonly act: (act: TrayAct) => void
  readonly showBadge: (questions: number) => void
  readonly setMenu: (settings: Settings) => void
}

/** Keeps tray, badge, menu, spell check and login item up to date with the host. Returns the undo. */
export function followHost(host: Host, { clock, system, notifier, icon, act, showBadge, setMenu }: FollowOptions): () => void {
  const closeTray = openTray(icon, host, clock, act)
  let settings = host.state.snapshot.settings
  let badge = 0
  const spell = (on: boolean) => setSpellCheck(session.defaultSession, on, system.os, app.getPreferredSystemLanguages())
  spell(settings.spellCheck)
  const stop = host.state.onEvent((_seq, event) => {
    const { snapshot } = host.state
    if (event.type === 'settings.changed') {
      const before = settings
      settings = snapshot.settings
      if (settings.shortcuts !== before.shortcuts) setMenu(settings)
      if (settings.spellCheck !== before.spellCheck) spell(settings.spellCheck)
      if (settings.startAtLogin !== before.startAtLogin && loginItem(snapshot)) setLoginItem(app, settings.startAtLogin)
    }
    if (event.type === 'interaction.closed') notifier.withdraw(event.id)
    if (snapshot.interactions.length !== badge) {
      badge = snapshot.interactions.length
      showBadge(badge)
    }
  })
  // A change that the person made in the system's own settings counts.
  if (loginItem(host.state.snapshot)) {
    const startAtLogin = app.getLoginItemSettings().openAtLogin
    // A failure waits for the next start.
    if (startAtLogin !== settings.startAtLogin) host.settings.change({ startAtLogin }).catch(() => {})
  }
  return () => {
    stop()
    closeTray()
  }
}

const loginItem = ({ desktop }: HostSnapshot) => desktop?.powers.includes('login-item') ?? false
