import { readFileSync } from 'node:fs'
import { onOrder, record } from './control.ts'
import { modelled, onlyKeys } from './modelled.ts'
import { ModelledEvents } from './modelled-events.ts'
import { needsReady } from './readiness.ts'
import { newestContents, type WebContents } from './web-contents.ts'

interface Item {
  readonly label?: string
  readonly role?: string
  readonly type?: string
  readonly enabled?: boolean
  readonly accelerator?: string
  readonly submenu?: readonly Item[]
  readonly click?: () => void
}

const ITEM = ['label', 'role', 'type', 'enabled', 'submenu', 'click', 'accelerator', 'registerAccelerator']
/** Those of Electron that the app uses: it throws for one that it does not know, and so does this. */
const ROLES = [
  ...['undo', 'redo', 'cut', 'copy', 'paste', 'pasteAndMatchStyle', 'delete', 'selectAll', 'close', 'quit', 'services', 'hide'],
  ...[
    'hideOthers',
    'unhide',
    'resetZoom',
    'zoomIn',
    'zoomOut',
    'togglefullscreen',
    'reload',
    'toggleDevTools',
    'windowMenu',
    'help',
  ],
]

/** Electron only complains of others, and shows none. */
const ACCELERATOR =
  /^(?:(?:CmdOrCtrl|Shift|Alt)\+)*(?:[!-*,-~]|F\d{1,2}|Plus|Up|Down|Left|Right|Esc|Space|Tab|Enter|Backspace|Delete|Insert|Home|End|PageUp|PageDown)$/

function checked(items: readonly Item[]): readonly Item[] {
  for (const item of items) {
    onlyKeys('menu item', item, ITEM)
    if (item.role !== undefined && !ROLES.includes(item.role)) throw new Error(`not modelled: menu role ${item.role}`)
    if (!item.role && !item.label && item.type !== 'separator') throw new Error('A menu item needs a label, a role or a type')
    if (item.accelerator !== undefined && !ACCELERATOR.test(item.accelerator))
      throw new Error(`Invalid accelerator ${item.accelerator}`)
    checked(item.submenu ?? [])
  }
  return items
}

/** The menus as the system shows them now; a person clicks what is there. */
const shown: Record<'application' | 'tray' | 'context', readonly Item[]> = { application: [], tray: [], context: [] }

class BuiltMenu {
  readonly items: readonly Item[]

  constructor(template: readonly Item[]) {
    this.items = checked(template)
  }

  popup(options: object): void {
    needsReady('Menu.popup')
    onlyKeys('menu.popup', options, ['window'])
    shown.context = this.items
    record('menu.popup', this.items)
  }
}

export const Menu = modelled('Menu', {
  buildFromTemplate: (template: readonly Item[]) => modelled('menu', new BuiltMenu(template)),
  setApplicationMenu(menu: BuiltMenu) {
    shown.application = menu.items
    record('Menu.setApplicationMenu', menu.items)
  },
})

interface Role {
  readonly label: string
  run(contents: WebContents): void
}

/** Those that a test may click, with Electron's labels: what they do, they do without the app. */
const ZOOMS: Readonly<Record<string, Role>> = {
  resetZoom: { label: 'Actual Size', run: (contents) => contents.setZoomLevel(0) },
  zoomIn: { label: 'Zoom In', run: (contents) => contents.setZoomLevel(contents.getZoomLevel() + 0.5) },
  zoomOut: { label: 'Zoom Out', run: (contents) => contents.setZoomLevel(contents.getZoomLevel() - 0.5) },
}

/** Answers whether there was such an item, and clicks it. One without an act, or that is off, does nothing, as in a system. */
onOrder('click-menu', ({ menu, labels }) => {
  let items: readonly Item[] = shown[menu]
  let found: Item | undefined
  for (const label of labels) {
    found = items.find(({ label: own, role = '' }) => (own ?? ZOOMS[role]?.label) === label)
    items = found?.submenu ?? []
  }
  const contents = newestContents()
  if (found?.role !== undefined && contents) ZOOMS[found.role]?.run(contents)
  else if (found?.enabled !== false) found?.click?.()
  return found !== undefined
})

class ShownTray extends ModelledEvents {
  constructor(image: { readonly path: string }) {
    super('Tray', ['click'])
    needsReady('Tray')
    record('Tray', image.path)
    trays.add(this)
  }

  setToolTip(text: string): void {
    record('tray.setToolTip', text)
  }

  setContextMenu(menu: BuiltMenu): void {
    shown.tray = menu.items
    record('tray.setContextMenu', menu.items)
  }

  destroy(): void {
    trays.delete(this)
    shown.tray = []
  }
}

const trays = new Set<ShownTray>()
onOrder('click-tray', () => {
  for (const tray of trays) tray.emit('click')
})

/** `new Tray(…)` gives the guarded view of one. */
export const Tray = new Proxy(ShownTray, {
  construct: (_target, [image]: [{ readonly path: string }]) => modelled('tray', new ShownTray(image)),
})

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])
/** Windows alone reads it. */
const ICO = Buffer.from([0, 0, 1, 0])

export const nativeImage = modelled('nativeImage', {
  /** Electron gives an empty image for a file that is none, and a tray without a picture; here it is an error. */
  createFromPath(path: string) {
    const head = readFileSync(path).subarray(0, 4)
    if (!head.equals(PNG) && !(process.platform === 'win32' && head.equals(ICO))) throw new Error(`No picture at ${path}`)
    return modelled('image', { path })
  },
})

export const clipboard = modelled('clipboard', {
  writeText: async (text: string) => record('clipboard.writeText', text),
})
