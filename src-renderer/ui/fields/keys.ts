const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform)

/** "Ctrl+Shift+I", "⇧⌘I" on a Mac. */
export function modified(key: string, shift = false): string {
  return isMac() ? `${shift ? '⇧' : ''}⌘${key}` : `Ctrl+${shift ? 'Shift+' : ''}${key}`
}

/** With Ctrl, or Cmd on a Mac. */
export function isModified(event: KeyboardEvent): boolean {
  return isMac() ? event.metaKey : event.ctrlKey
}

const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]'

/** What is typed or pasted goes into a field. */
export function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.closest(TYPED_INTO) !== null
}
