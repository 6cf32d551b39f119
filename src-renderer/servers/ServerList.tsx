import { useMemo } from 'react'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { sortedServers } from '../state/selectors.ts'
import { setDrawer, useView } from '../state/view-store.ts'
import { StatusDot } from '../ui/StatusDot.tsx'
import { VirtualList } from '../ui/VirtualList.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { stateWord } from './words/server-words.ts'
import './words/servers.css'

const VIRTUAL_FROM = 100

/** The servers in the rail, for going from one to the next. The screen with all of them needs no second list beside it. */
export function ServerList() {
  const chosen = useView((view) => (view.route.section === 'servers' ? view.route.id : undefined))
  const known = useHost((mirror) => mirror.host.servers)
  const servers = useMemo(() => sortedServers(known), [known])
  if (chosen === undefined) return null
  if (servers.length > VIRTUAL_FROM) {
    return (
      <section className="rail-servers-many" aria-label="List of servers">
        <VirtualList
          label="Servers"
          items={servers}
          keyOf={(server) => server.id}
          rowHeight={36}
          render={(server) => <Entry server={server} now={server.id === chosen} />}
        />
      </section>
    )
  }
  return (
    <section aria-label="List of servers">
      <ul className="rail-servers" aria-label="Servers">
        {servers.map((server) => (
          <li key={server.id}>
            <Entry server={server} now={server.id === chosen} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Entry({ server, now }: { readonly server: ServerRecord; readonly now: boolean }) {
  return (
    <a
      className="rail-server"
      href={routeHash({ section: 'servers', id: server.id })}
      aria-current={now ? 'page' : undefined}
      onClick={() => setDrawer(false)}
    >
      <span className="rail-server-name">
        <VisibleText text={server.name} />
      </span>
      <StatusDot {...stateWord(server)} />
    </a>
  )
}
