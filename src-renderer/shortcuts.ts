import { type Keys, keysOf, SHORTCUT_IDS, SHORTCUTS, type ShortcutId } from '../src-shared/base/shortcuts.ts'
import type { ConversationHead } from '../src-shared/contract/conversations.ts'
import { ask } from './state/ask.ts'
import { attempt } from './state/attempt.ts'
import { useHost } from './state/host-store.ts'
import { findHead } from './state/selectors.ts'
import { navigate, openFind, renameConversation, setPalette, useView } from './state/view-store.ts'
import { isModified, isTyping, keysPressed } from './ui/fields/keys.ts'
import { crossToMessages } from './ui/focus-message.ts'

interface Shortcut {
  readonly id: ShortcutId
  readonly label: string
  /** As they are kept. */
  readonly keys: Keys
  readonly run: () => void
}

function headOnScreen(): ConversationHead | undefined {
  const { route } = useView.getState()
  return route.section === 'conversations' ? findHead(useHost.getState(), route.id) : undefined
}

/** False for an action that would do nothing on this screen, so that the palette does not list it. */
export function appliesHere(id: ShortcutId): boolean {
  if (id === 'rename' || id === 'messages') return headOnScreen() !== undefined
  return id !== 'stop' || headOnScreen()?.turn === 'running'
}

/** Stops the turn of the conversation on screen, if one runs. */
function stopOnScreen(): void {
  const head = headOnScreen()
  if (head?.turn === 'running') void attempt(ask('turn.cancel', { id: head.id }))
}

/** The actions of shortcuts: keys, the palette and the desktop's menu run them. */
export const SHORTCUT_ACTIONS: Readonly<Record<ShortcutId, () => void>> = {
  palette: () => setPalette('commands'),
  new: () => navigate({ section: 'conversations', id: 'new' }),
  settings: () => navigate({ section: 'settings' }),
  inbox: () => navigate({ section: 'inbox' }),
  find: openFind,
  stop: stopOnScreen,
  messages: crossToMessages,
  rename: () => renameConversation(headOnScreen()?.id),
  shortcuts: () => setPalette('keys'),
}

/** Those of this window: to find on a screen, a browser has its own. */
export function shortcuts(): readonly Shortcut[] {
  const { shell, settings } = useHost.getState().host
  return SHORTCUT_IDS.filter((id) => id !== 'find' || shell === 'electron').map((id) => ({
    id,
    label: SHORTCUTS[id].label,
    keys: keysOf(id, settings.shortcuts),
    run: SHORTCUT_ACTIONS[id],
  }))
}

/** The shortcut that was pressed; a question mark that is not typed into something asks for the list of them. */
function pressed(event: KeyboardEvent): Shortcut | undefined {
  const keys = keysPressed(event)
  if (keys === undefined) return undefined
  const asks = event.key === '?' && !isModified(event) && !isTyping(event)
  return shortcuts().find((one) => one.keys === keys || (asks && one.id === 'shortcuts'))
}

/** Listens for the shortcuts; while a modal question is open only stopping works. Returns the undo. */
export function followShortcuts(page: Window): () => void {
  const onKey = (event: KeyboardEvent) => {
    const found = pressed(event)
    if (!found) return
    const modal = page.document.querySelector('dialog:modal') !== null
    if (modal && found.id !== 'stop') return
    event.preventDefault()
    found.run()
  }
  page.addEventListener('keydown', onKey)
  return () => page.removeEventListener('keydown', onKey)
}
