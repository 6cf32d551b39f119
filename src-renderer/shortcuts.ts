import { ask } from './state/ask.ts'
import { attempt } from './state/attempt.ts'
import { useHost } from './state/host-store.ts'
import { findHead } from './state/selectors.ts'
import { navigate, openFind, setPalette, useView } from './state/view-store.ts'
import { isModified, isTyping, modified } from './ui/fields/keys.ts'

export interface Shortcut {
  /** With Ctrl, or Cmd on a Mac. */
  readonly key: string
  readonly shift?: boolean
  readonly label: string
  /** A browser has its own. */
  readonly desktopOnly?: boolean
  readonly run: () => void
}

/** Stops the turn of the conversation on screen, if one runs. */
function stopOnScreen(): void {
  const { route } = useView.getState()
  const head = route.section === 'conversations' ? findHead(useHost.getState(), route.id) : undefined
  if (head?.turn === 'running') void attempt(ask('turn.cancel', { id: head.id }))
}

const SHORTCUTS: readonly Shortcut[] = [
  { key: 'k', label: 'Command palette', run: () => setPalette('commands') },
  { key: 'n', label: 'New conversation', run: () => navigate({ section: 'conversations', id: 'new' }) },
  { key: ',', label: 'Settings', run: () => navigate({ section: 'settings' }) },
  { key: 'i', shift: true, label: 'Inbox', run: () => navigate({ section: 'inbox' }) },
  { key: 'f', label: 'Find on this screen', desktopOnly: true, run: openFind },
  { key: '.', label: 'Stop the reply', run: stopOnScreen },
]

/** Those of this window. */
export function shortcuts(): readonly Shortcut[] {
  const { shell } = useHost.getState().host
  return SHORTCUTS.filter((one) => !one.desktopOnly || shell === 'electron')
}

export function keysOf(shortcut: Shortcut): string {
  return modified(shortcut.key.toUpperCase(), shortcut.shift)
}

const HELP: Shortcut = { key: 'F1', label: 'Keyboard shortcuts', run: () => setPalette('keys') }

/** The shortcut that was pressed: one with Ctrl or Cmd, F1, or a question mark that is not typed into something. */
function pressed(event: KeyboardEvent): Shortcut | undefined {
  if (event.altKey) return undefined
  if (isModified(event)) {
    return shortcuts().find((one) => one.key === event.key.toLowerCase() && (one.shift ?? false) === event.shiftKey)
  }
  if (event.ctrlKey || event.metaKey) return undefined
  return event.key === 'F1' || (event.key === '?' && !isTyping(event)) ? HELP : undefined
}

/** Listens for the shortcuts; a modal question comes first, so that only stopping works beside it. Returns the undo. */
export function followShortcuts(page: Window): () => void {
  const onKey = (event: KeyboardEvent) => {
    const found = pressed(event)
    if (!found) return
    const modal = page.document.querySelector('dialog:modal') !== null
    if (modal && found.key !== '.') return
    event.preventDefault()
    found.run()
  }
  page.addEventListener('keydown', onKey)
  return () => page.removeEventListener('keydown', onKey)
}
