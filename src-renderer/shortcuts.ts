import type { ConversationId } from '../src-shared/contract/conversations.ts'
import { attempt, stopTurn } from './state/actions.ts'
import { useHost } from './state/host-store.ts'
import { findHead } from './state/selectors.ts'
import { navigate, setPalette, useView } from './state/view-store.ts'

export interface Shortcut {
  /** With Ctrl, or Cmd on a Mac. */
  readonly key: string
  readonly shift?: boolean
  readonly label: string
  readonly run: () => void
}

/** Stops the turn of the conversation on screen, if one runs. */
export function stopOnScreen(): void {
  const { route } = useView.getState()
  const head = route.section === 'conversations' ? findHead(useHost.getState(), route.id) : undefined
  if (head?.turn === 'running') void attempt(stopTurn(head.id satisfies ConversationId))
}

export const SHORTCUTS: readonly Shortcut[] = [
  { key: 'k', label: 'Command palette', run: () => setPalette(true) },
  { key: 'n', label: 'New conversation', run: () => navigate({ section: 'conversations', id: 'new' }) },
  { key: ',', label: 'Settings', run: () => navigate({ section: 'settings' }) },
  { key: 'i', shift: true, label: 'Inbox', run: () => navigate({ section: 'inbox' }) },
  { key: '.', label: 'Stop the reply', run: stopOnScreen },
]

const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform)

export function keysOf(shortcut: Shortcut): string {
  const key = shortcut.key.toUpperCase()
  return isMac() ? `${shortcut.shift ? '⇧' : ''}⌘${key}` : `Ctrl+${shortcut.shift ? 'Shift+' : ''}${key}`
}

/** Listens for the shortcuts; a modal question comes first, so that only stopping works beside it. Returns the undo. */
export function followShortcuts(page: Window): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (!(isMac() ? event.metaKey : event.ctrlKey) || event.altKey) return
    const found = SHORTCUTS.find((one) => one.key === event.key.toLowerCase() && (one.shift ?? false) === event.shiftKey)
    if (!found) return
    const modal = page.document.querySelector('dialog:modal') !== null
    if (modal && found.key !== '.') return
    event.preventDefault()
    found.run()
  }
  page.addEventListener('keydown', onKey)
  return () => page.removeEventListener('keydown', onKey)
}
