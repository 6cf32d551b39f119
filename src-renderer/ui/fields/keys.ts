const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform)

/** Formats kept keys for this system: "Ctrl+Shift+I", or "⇧⌘I" on a Mac. */
export function shownKeys(keys: string): string {
  const [, mod, shift, key = ''] = /^(Mod\+)?(Shift\+)?(.*)$/su.exec(keys) ?? []
  return isMac() ? `${shift ? '⇧' : ''}${mod ? '⌘' : ''}${key}` : `${mod ? 'Ctrl+' : ''}${shift ? 'Shift+' : ''}${key}`
}

/** The pressed keys as settings keep them; undefined for a modifier alone, or with a modifier that shortcuts do not use. */
export function keysPressed(event: KeyboardEvent): string | undefined {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event
  if (altKey || ['Control', 'Shift', 'Meta', 'Alt', 'AltGraph', 'Dead', 'Unidentified'].includes(key)) return undefined
  const mod = isModified(event)
  if (!mod && (ctrlKey || metaKey)) return undefined
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key
  return `${mod ? 'Mod+' : ''}${shiftKey ? 'Shift+' : ''}${name}`
}

/** With Ctrl, or Cmd on a Mac. */
export function isModified(event: KeyboardEvent): boolean {
  return isMac() ? event.metaKey : event.ctrlKey
}

const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]'

/** True if typed or pasted text goes into a field. */
export function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.closest(TYPED_INTO) !== null
}
