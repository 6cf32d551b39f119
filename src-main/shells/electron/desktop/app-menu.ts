import type { MenuItemConstructorOptions } from 'electron'
import { type ChosenKeys, keysOf, SHORTCUTS, type ShortcutId } from '../../../../src-shared/base/shortcuts.ts'
import type { WindowOrder } from '../../../../src-shared/contract/channel.ts'

interface AppMenuOptions {
  /** `process.platform`. */
  readonly os: string
  /** The page handles them itself; a Mac also has them in its menu when there is no window. */
  readonly chosen: ChosenKeys
  readonly updates: boolean
  /** Brings the window to the front and shows something there. */
  readonly show: (order: WindowOrder) => void
}

const LINE: MenuItemConstructorOptions = { type: 'separator' }

export function appMenu({ os, chosen, updates, show }: AppMenuOptions): MenuItemConstructorOptions[] {
  const mac = os === 'darwin'
  // Keys are shown but not registered: the page knows when one is meant for it. A Mac handles a key that the page let pass.
  const item = (id: Exclude<ShortcutId, 'stop'>, more = ''): MenuItemConstructorOptions => {
    const keys = acceleratorOf(keysOf(id, chosen))
    const shown = keys === undefined ? {} : { accelerator: keys, registerAccelerator: false }
    return { label: `${SHORTCUTS[id].label}${more}`, ...shown, click: () => show({ is: 'shortcut', id }) }
  }
  const settings = item('settings', '…')
  const check: MenuItemConstructorOptions[] = updates
    ? [{ label: 'Check for updates…', click: () => show({ is: 'go', section: 'settings', id: 'desktop' }) }]
    : []
  const about: MenuItemConstructorOptions = {
    label: 'About Parley',
    click: () => show({ is: 'go', section: 'settings', id: 'about' }),
  }
  return [
    ...(mac ? [{ label: 'Parley', submenu: [about, ...check, LINE, settings, LINE, ...MAC_APP] }] : []),
    {
      label: 'File',
      submenu: [
        item('new'),
        item('rename'),
        LINE,
        ...(mac ? [{ role: 'close' as const }] : [settings, LINE, { role: 'close' as const }, { role: 'quit' as const }]),
      ],
    },
    { label: 'Edit', submenu: [...EDIT, LINE, item('find')] },
    {
      label: 'View',
      submenu: [
        item('palette'),
        item('inbox'),
        LINE,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        LINE,
        { role: 'togglefullscreen' },
        LINE,
        { role: 'reload' },
        { role: 'toggleDevTools', accelerator: 'F12' },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { label: 'User guide', click: () => show({ is: 'go', section: 'help' }) },
        item('shortcuts'),
        ...(mac ? [] : [LINE, ...check, about]),
      ],
    },
  ]
}

/** Electron's name of a key (docs/tutorial/keyboard-shortcuts); undefined when it has none. */
function acceleratorOf(keys: string): string | undefined {
  const key = /[^+]+$|\+$/.exec(keys)?.[0] ?? ''
  const name = NAMED[key] ?? (/^(?:[!-~]|F\d{1,2})$/.test(key) ? key : undefined)
  return name && keys.slice(0, -key.length).replace('Mod', 'CmdOrCtrl') + name
}

const NAMED: Readonly<Record<string, string>> = {
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  '+': 'Plus',
  Escape: 'Esc',
  ...Object.fromEntries(
    ['Space', 'Tab', 'Enter', 'Backspace', 'Delete', 'Insert', 'Home', 'End', 'PageUp', 'PageDown'].map((key) => [key, key]),
  ),
}

const MAC_APP: MenuItemConstructorOptions[] = [
  { role: 'services' },
  LINE,
  { role: 'hide' },
  { role: 'hideOthers' },
  { role: 'unhide' },
  LINE,
  { role: 'quit' },
]

const EDIT: MenuItemConstructorOptions[] = [
  { role: 'undo' },
  { role: 'redo' },
  LINE,
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'pasteAndMatchStyle' },
  { role: 'delete' },
  LINE,
  { role: 'selectAll' },
]
