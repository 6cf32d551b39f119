import { Fragment, type RefObject, useMemo, useRef, useState } from 'react'
import { matchesWords } from '../src-shared/base/matches-words.ts'
import type { HostSnapshot } from '../src-shared/contract/events.ts'
import { sectionsFor } from './settings/sections.ts'
import { appliesHere, shortcuts } from './shortcuts.ts'
import { changeSettings } from './state/ask.ts'
import { attempt } from './state/attempt.ts'
import { useHost } from './state/host-store.ts'
import { ADD_SERVER, type Route, routeHash } from './state/route.ts'
import { conversationTitle, sortedServers } from './state/selectors.ts'
import { navigate, openImport, searchConversationsFor, setDrawer, useView } from './state/view-store.ts'
import { Button } from './ui/Button.tsx'
import { Dialog } from './ui/Dialog.tsx'
import { shownKeys } from './ui/fields/keys.ts'
import { type Choice, useCombobox } from './ui/lists/combobox.tsx'
import { visibleText } from './ui/visible-text.ts'

interface Command {
  readonly id: string
  readonly label: string
  readonly group?: string
  readonly keys?: string
  readonly run: () => void
}

const MAX_COUNT = 30

/** Screens and dialogs that have no shortcut, and the looks. */
const PLACES: readonly (readonly [label: string, run: () => void])[] = [
  ['Projects', () => navigate({ section: 'projects' })],
  ['New project', () => navigate({ section: 'projects', id: 'new' })],
  ['Servers', () => navigate({ section: 'servers' })],
  ['Add a server', () => navigate(ADD_SERVER)],
  ['Import servers', () => openImport()],
  ['User guide', () => navigate({ section: 'help' })],
  ['Report a problem', () => navigate({ section: 'help', id: 'report' })],
  ...(['system', 'light', 'dark'] as const).map(
    (theme) => [`Theme: ${theme}`, () => void attempt(changeSettings({ theme }))] as const,
  ),
]

function commandsOf({ servers, projects, conversations, desktop }: HostSnapshot): readonly Command[] {
  const going = (group: string, label: string, route: Route): Command => {
    return { id: `${group} ${routeHash(route)}`, label: visibleText(label), group, run: () => navigate(route) }
  }
  return [
    ...shortcuts()
      .filter(({ id }) => id !== 'palette' && appliesHere(id))
      .map(({ id, label, keys, run }) => ({ id: `shortcut ${id}`, label, keys: shownKeys(keys), run })),
    ...PLACES.map(([label, run]) => ({ id: label, label, run })),
    ...sectionsFor(desktop !== undefined).map(([id, { title }]) => going('Settings', title, { section: 'settings', id })),
    ...sortedServers(servers).flatMap(({ id, name }) => [
      going('Servers', name, { section: 'servers', id }),
      going('Servers', `Check ${name}`, { section: 'servers', id, tab: 'check' }),
    ]),
    ...projects.map(({ id, name }) => going('Projects', name, { section: 'projects', id })),
    ...conversations.map((head) => going('Conversations', conversationTitle(head), { section: 'conversations', id: head.id })),
  ]
}

/** A text that no command matches may be in a conversation. */
function searchFor(query: string): Command {
  const run = () => {
    const { route } = useView.getState()
    if (route.section !== 'conversations') navigate({ section: 'conversations' })
    searchConversationsFor(query)
    setDrawer(true)
  }
  return { id: 'search', label: `Search conversations for “${query}”`, group: 'Conversations', run }
}

interface PaletteProps {
  readonly showing: 'commands' | 'keys'
  /** Text from before the palette was there. */
  readonly typed: RefObject<string>
  readonly onClose: () => void
}

/** Go to, run, toggle; and the sheet of shortcuts. */
export function Palette({ showing, typed, onClose }: PaletteProps) {
  return showing === 'keys' ? <ShortcutSheet onClose={onClose} /> : <Commands typed={typed} onClose={onClose} />
}

function Commands({ typed, onClose }: Omit<PaletteProps, 'showing'>) {
  const host = useHost((mirror) => mirror.host)
  const [query, setQuery] = useState(() => typed.current)
  const field = useRef<HTMLInputElement>(null)
  const commands = useMemo(() => commandsOf(host), [host])
  const matching = commands.filter((command) => matchesWords(command.label, query)).slice(0, MAX_COUNT)
  const found = host.conversationCount === 0 || query.trim() === '' ? matching : [...matching, searchFor(query.trim())]
  const choices = found.map((command) => ({
    ...command,
    key: command.id,
    choose: () => {
      onClose()
      command.run()
    },
  }))
  const commandList = useCombobox<Command & Choice>({
    label: 'Commands',
    choices,
    query,
    render: ({ label, keys, group }) => (
      <>
        <span className="grow one-line">{label}</span>
        <span className="meta">{keys ?? group}</span>
      </>
    ),
    classOf: () => 'palette-entry',
  })
  return (
    <Dialog title="Command palette" size="small" onEscape={onClose} onOutside={onClose} initialFocus={field}>
      <input
        ref={field}
        type="search"
        className="ui-input"
        aria-label="Search commands"
        placeholder="Search or run a command"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        {...commandList.field}
      />
      {commandList.list('palette')}
      {found.length === 0 ? <p className="soft">No results.</p> : null}
    </Dialog>
  )
}

function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const sendWith = useHost((mirror) => mirror.host.settings.sendWith)
  const bound = shortcuts().filter(({ keys }) => keys !== '')
  const rows: readonly (readonly [label: string, ...keys: readonly string[]])[] = [
    ...bound.map(({ id, label, keys }) => (id === 'shortcuts' ? ([label, keys, '?'] as const) : ([label, keys] as const))),
    ['Allow once', 'Mod+Enter'],
    ['Deny', 'Mod+Backspace'],
    ['Dismiss', 'Esc'],
    ['Send', sendWith === 'enter' ? 'Enter' : 'Mod+Enter'],
    ['Send now, while a reply runs', 'Alt+Enter'],
    ['New line', sendWith === 'enter' ? 'Shift+Enter' : 'Enter'],
  ]
  const go = (route: Route) => {
    onClose()
    navigate(route)
  }
  return (
    <Dialog title="Keyboard shortcuts" size="small" onEscape={onClose} onOutside={onClose} closeLabel="Close">
      <table className="shortcuts">
        <tbody>
          {rows.map(([label, ...keys]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                {keys.map((one, at) => (
                  <Fragment key={one}>
                    {at > 0 ? ', ' : null}
                    <kbd>{shownKeys(one)}</kbd>
                  </Fragment>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="actions">
        <Button onClick={() => go({ section: 'settings', id: 'shortcuts' })}>Change shortcuts</Button>
        <Button onClick={() => go({ section: 'help' })}>User guide</Button>
      </div>
    </Dialog>
  )
}
