import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import type { ChosenKeys } from '../../../../src-shared/base/shortcuts.ts'
import type { WindowOrder } from '../../../../src-shared/contract/channel.ts'
import { appMenu } from './app-menu.ts'

type Item = MenuItemConstructorOptions

function menu(os: string, updates = false, chosen: ChosenKeys = {}) {
  const shown: WindowOrder[] = []
  const top = appMenu({ os, chosen, updates, show: (order) => shown.push(order) })
  return { top, shown }
}
const below = ({ submenu }: Item): readonly Item[] => (Array.isArray(submenu) ? submenu : [])
const all = (items: readonly Item[]): Item[] => items.flatMap((item) => [item, ...all(below(item))])
const words = (item: Item | undefined) => item?.label ?? item?.role ?? item?.type

describe('the menu of the application', () => {
  it('shows only keys that Electron has a name for', () => {
    const shown = (keys: string) =>
      all(menu('linux', false, { palette: keys }).top).find(({ label }) => label === 'Command palette')?.accelerator
    expect(['Mod+J', 'Mod+Shift+9', 'F7', 'Mod+ArrowUp', 'Mod+/'].map(shown)).toEqual([
      'CmdOrCtrl+J',
      'CmdOrCtrl+Shift+9',
      'F7',
      'CmdOrCtrl+Up',
      'CmdOrCtrl+/',
    ])
    expect(['Mod+ü', 'Mod+Shift+ß', 'Mod+Unidentified', ''].map(shown)).toEqual([undefined, undefined, undefined, undefined])
  })

  it('has each item where the system expects it', () => {
    const mac = menu('darwin').top
    expect(mac.map(words)).toEqual(['Parley', 'File', 'Edit', 'View', 'windowMenu', 'help'])
    expect(below(mac[0] ?? {}).map(words)).toEqual([
      'About Parley',
      'separator',
      'Settings…',
      'separator',
      'services',
      'separator',
      'hide',
      'hideOthers',
      'unhide',
      'separator',
      'quit',
    ])
    for (const os of ['win32', 'linux']) {
      const { top } = menu(os)
      expect(top.map(words)).toEqual(['File', 'Edit', 'View', 'windowMenu', 'help'])
      expect(below(top[0] ?? {}).map(words)).toEqual([
        'New conversation',
        'Rename conversation',
        'separator',
        'Settings…',
        'separator',
        'close',
        'quit',
      ])
      expect(below(top.at(-1) ?? {}).map(words)).toContain('About Parley')
    }
  })

  it.each(['darwin', 'win32', 'linux'])('on %s does what it says, and leaves the page’s keys to the page', (os) => {
    const { top, shown } = menu(os)
    const own = all(top).filter(({ click }) => click)
    for (const { click, accelerator, registerAccelerator } of own) {
      Reflect.apply(click ?? (() => {}), undefined, [])
      if (accelerator) expect(registerAccelerator).toBe(false)
    }
    expect(shown).toHaveLength(9)
    for (const order of [
      { is: 'go', section: 'help' },
      ...['new', 'rename', 'settings', 'inbox', 'find', 'palette', 'shortcuts'].map((id) => ({ is: 'shortcut', id })),
      { is: 'go', section: 'settings', id: 'about' },
    ])
      expect(shown).toContainEqual(order)
    // Electron's ready-made view menu puts the developer tools on Ctrl+Shift+I, which is the Inbox.
    expect(all(top).map(({ role }) => role)).not.toContain('viewMenu')
    expect(all(top).filter(({ accelerator, click }) => accelerator && !click)).toEqual([
      { role: 'toggleDevTools', accelerator: 'F12' },
    ])
  })

  it('shows the keys that a person chose, and none where they want none', () => {
    const { top } = menu('linux', false, { new: 'Mod+Shift+N', inbox: '' })
    const keys = Object.fromEntries(all(top).map(({ label, accelerator }) => [label, accelerator]))
    expect(keys).toMatchObject({ 'New conversation': 'CmdOrCtrl+Shift+N', Inbox: undefined, 'Command palette': 'CmdOrCtrl+K' })
  })

  it('mentions updates only where there is a feed', () => {
    const said = (updates: boolean) => all(menu('linux', updates).top).map(({ label }) => label)
    expect(said(false)).not.toContain('Check for updates…')
    expect(said(true)).toContain('Check for updates…')
  })
})
