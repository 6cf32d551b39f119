import { useMemo } from 'react'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { sortedServers } from '../state/selectors.ts'
import { setDrawer, useView } from '../state/view-store.ts'
import { Rows } from '../ui/lists/Rows.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { stateLabel } from './labels/server-labels.ts'
import './labels/servers.css'

const VIRTUAL_FROM = 100

/** The servers in the rail, to switch between them. */
export function ServerList() {
  const chosen = useView((view) => (view.route.section === 'servers' ? view.route.id : undefined))
  const known = useHost((mirror) => mirror.host.servers)
  const servers = useMemo(() => sortedServers(known), [known])
  return (
    <section className="rail-servers" aria-label="List of servers">
      <Rows
        many={servers.length > VIRTUAL_FROM}
        className="padded-small"
        label="Servers"
        items={servers}
        keyOf={(server) => server.id}
        rowHeight={36}
        render={(server) => <Entry server={server} now={server.id === chosen} />}
      />
    </section>
  )
}

function Entry({ server, now }: { readonly server: ServerRecord; readonly now: boolean }) {
  return (
    <a
      className="rail-item hovers small row"
      href={routeHash({ section: 'servers', id: server.id })}
      aria-current={now ? 'page' : undefined}
      onClick={() => setDrawer(false)}
    >
      <VisibleText as="span" className="grow one-line" text={server.name} />
      <StatusDot {...stateLabel(server)} />
    </a>
  )
}
