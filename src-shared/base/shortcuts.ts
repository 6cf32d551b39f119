/** A key combination; `Mod` is Ctrl, or Cmd on a Mac. An empty text means none. */
export type Keys = string

/** Actions with their labels and default keys. */
export const SHORTCUTS = {
  palette: { label: 'Command palette', keys: 'Mod+K' },
  new: { label: 'New conversation', keys: 'Mod+N' },
  settings: { label: 'Settings', keys: 'Mod+,' },
  inbox: { label: 'Inbox', keys: 'Mod+Shift+I' },
  find: { label: 'Find on this screen', keys: 'Mod+F' },
  stop: { label: 'Stop the reply', keys: 'Mod+.' },
  messages: { label: 'Last reply, and back', keys: 'F6' },
  rename: { label: 'Rename conversation', keys: 'F2' },
  shortcuts: { label: 'Keyboard shortcuts', keys: 'F1' },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly keys: Keys }>>

export type ShortcutId = keyof typeof SHORTCUTS
export const SHORTCUT_IDS = Object.keys(SHORTCUTS) as readonly ShortcutId[]

export const KEYS = /^(?:Mod\+(?:Shift\+)?\S{1,12}|(?:Mod\+)?(?:Shift\+)?F(?:[1-9]|1[0-2]))$/u

/** Keys of text fields, dialogs, the browser and the window. */
const RESERVED: Readonly<Record<Keys, string>> = {
  'Mod+A': 'select all',
  'Mod+C': 'copy',
  'Mod+V': 'paste',
  'Mod+X': 'cut',
  'Mod+Z': 'undo',
  'Mod+Y': 'redo',
  'Mod+Shift+Z': 'redo',
  'Mod+Shift+V': 'paste as text',
  'Mod+Enter': 'Allow once',
  'Mod+Backspace': 'Deny',
  'Mod+R': 'reload',
  'Mod+Shift+R': 'reload',
  'Mod+W': 'close the window',
  'Mod+Q': 'quit',
  'Mod+T': 'a new tab',
  'Mod++': 'zoom',
  'Mod+=': 'zoom',
  'Mod+-': 'zoom',
  'Mod+0': 'zoom',
  F5: 'reload',
  F11: 'full screen',
  F12: 'the developer tools',
}

/** Keys that the person chose; other actions have their default. */
export type ChosenKeys = Readonly<Partial<Record<ShortcutId, Keys>>>

export function keysOf(id: ShortcutId, chosen: ChosenKeys): Keys {
  return chosen[id] ?? SHORTCUTS[id].keys
}

/** Why an action cannot have these keys, as a sentence; undefined when it can. */
export function keysProblem(keys: Keys, id: ShortcutId, chosen: ChosenKeys): string | undefined {
  if (!KEYS.test(keys)) return 'Press Ctrl or Cmd with another key, or a function key.'
  const taken = RESERVED[keys]
  if (taken !== undefined) return `These keys are for ${taken}.`
  const other = SHORTCUT_IDS.find((one) => one !== id && keysOf(one, chosen) === keys)
  return other && `These keys are for ${SHORTCUTS[other].label}. Change that first.`
}
