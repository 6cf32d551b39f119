import { type ReactNode, useEffect, useId, useRef } from 'react'
import { ConversationList } from './conversation/list/ConversationList.tsx'
import { inboxWaits } from './inbox-waits.ts'
import { useHost, useHostShallow } from './state/host-store.ts'
import { ADD_SERVER, type Route, type RouteSection, routeHash } from './state/route.ts'
import { partlyReady } from './state/selectors.ts'
import { setDrawer, useView } from './state/view-store.ts'
import { Boundary } from './ui/Boundary.tsx'
import { ChatIcon, InboxIcon, ServerIcon, SettingsIcon } from './ui/icons.tsx'
import { onDemand } from './ui/on-demand.tsx'

const ServerList = onDemand(() => import('./servers/ServerList.tsx').then((module) => module.ServerList))
const GuideList = onDemand(() => import('./help/GuideList.tsx').then((module) => module.GuideList))

const SettingsList = onDemand(() => import('./settings/SettingsList.tsx').then((module) => module.SettingsList))

/** A search under way. */
const SEARCHED = 'input[type="search"]:not(:placeholder-shown)'

/** The left column: navigation, and the list that leads on from here. Below 900 px it is a drawer. */
export function Rail() {
  const section = useView((view) => view.route.section)
  const list = useView((view) => listFor(view.route))
  const open = useView((view) => view.drawer)
  const rail = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!open) return
    const first = rail.current?.querySelector<HTMLElement>(SEARCHED) ?? rail.current?.querySelector('a')
    first?.focus()
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDrawer(false)
    }
    window.addEventListener('keydown', close)
    return () => window.removeEventListener('keydown', close)
  }, [open])
  return (
    <>
      {open ? (
        <button type="button" className="rail-scrim" aria-label="Close the navigation" onClick={() => setDrawer(false)} />
      ) : null}
      <div className="rail column-0" data-open={open} ref={rail}>
        <Navigation section={section} />
        <div className="column-0 scrolls">
          {list === 'conversations' ? <ConversationList /> : null}
          <Boundary key={list} what="This list">
            {list === 'servers' ? <ServerList /> : null}
            {list === 'settings' ? <SettingsList /> : null}
            {list === 'help' ? <GuideList /> : null}
          </Boundary>
        </div>
      </div>
    </>
  )
}

/** All servers and the Inbox have their own lists, so the rail keeps the conversations within one click. */
function listFor({ section, id }: Route) {
  if (section === 'servers') return id === undefined || id === ADD_SERVER.id ? 'conversations' : 'servers'
  return section === 'settings' || section === 'help' ? section : 'conversations'
}

function Navigation({ section }: { readonly section: RouteSection }) {
  const { count, words } = useHostShallow((mirror) => inboxWaits(mirror.host))
  const servers = useHost((mirror) => partlyReady(mirror.host.servers))
  return (
    <nav aria-label="Main" className="rail-nav">
      <Entry to="conversations" now={section} icon={<ChatIcon />} label="Conversations" />
      <Entry to="servers" now={section === 'import' ? 'servers' : section} icon={<ServerIcon />} label="Servers" note={servers} />
      <Entry
        to="inbox"
        now={section}
        icon={<InboxIcon />}
        label="Inbox"
        note={words || undefined}
        badge={words ? String(count) : undefined}
      />
      <Entry to="settings" now={section} icon={<SettingsIcon />} label="Settings" />
    </nav>
  )
}

interface EntryProps {
  readonly to: RouteSection
  readonly now: RouteSection
  readonly icon: ReactNode
  readonly label: string
  /** Its description, which the link's page says, too. */
  readonly note?: string | undefined
  /** The number of things that wait for the person. */
  readonly badge?: string | undefined
}

function Entry({ to, now, icon, label, note, badge }: EntryProps) {
  const id = useId()
  return (
    <>
      <a
        href={routeHash({ section: to })}
        className="rail-link hovers row"
        aria-current={to === now || (to === 'conversations' && now === 'projects') ? 'page' : undefined}
        aria-describedby={note ? id : undefined}
        onClick={() => setDrawer(false)}
      >
        {icon}
        <span>{label}</span>
        {badge ? (
          <span className="rail-badge" aria-hidden>
            {badge}
          </span>
        ) : null}
      </a>
      {note ? (
        <span id={id} hidden>
          {note}
        </span>
      ) : null}
    </>
  )
}
