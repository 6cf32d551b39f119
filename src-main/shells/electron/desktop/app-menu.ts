import type { MenuItemConstructorOptions } from 'electron'
import type { WindowOrder } from '../../../../src-shared/contract/frames/channel.ts'

/** Keys of the page that the menu names. The page hears them itself; a Mac hears them from its menu when there is no window, too. */
export type MenuKeys = Readonly<Record<'new' | 'settings' | 'palette' | 'inbox' | 'find' | 'shortcuts', string>>

export const MENU_KEYS: MenuKeys = {
  new: 'CmdOrCtrl+N',
  settings: 'CmdOrCtrl+,',
  palette: 'CmdOrCtrl+K',
  inbox: 'CmdOrCtrl+Shift+I',
  find: 'CmdOrCtrl+F',
  shortcuts: 'F1',
}

export interface AppMenuOptions {
  /** `process.platform`. */
  readonly os: string
  readonly keys: MenuKeys
  /** A feed of updates is configured. */
  readonly updates: boolean
  /** Brings the window to the front and lets it show something. */
  readonly show: (order: WindowOrder) => void
}

const LINE: MenuItemConstructorOptions = { type: 'separator' }

/** The menu of the application, as each system has it. */
export function appMenu({ os, keys, updates, show }: AppMenuOptions): MenuItemConstructorOptions[] {
  const mac = os === 'darwin'
  // Shown and not taken: the page knows when a key is not meant for it. On a Mac it is taken all the same, once the page let it pass.
  const item = (label: string, key: keyof MenuKeys, order: WindowOrder): MenuItemConstructorOptions => ({
    label,
    accelerator: keys[key],
    registerAccelerator: false,
    click: () => show(order),
  })
  const settings = item('Settings…', 'settings', { is: 'go', section: 'settings' })
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
        item('New conversation', 'new', { is: 'go', section: 'conversations', id: 'new' }),
        LINE,
        ...(mac ? [{ role: 'close' as const }] : [settings, LINE, { role: 'close' as const }, { role: 'quit' as const }]),
      ],
    },
    {
      label: 'Edit',
      submenu: [...EDIT, LINE, item('Find on this screen', 'find', { is: 'find' })],
    },
    {
      label: 'View',
      submenu: [
        item('Command palette', 'palette', { is: 'palette' }),
        item('Inbox', 'inbox', { is: 'go', section: 'inbox' }),
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
      submenu: [item('Keyboard shortcuts', 'shortcuts', { is: 'shortcuts' }), ...(mac ? [] : [LINE, ...check, about])],
    },
  ]
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
