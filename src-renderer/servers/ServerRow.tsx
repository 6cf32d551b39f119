import { memo } from 'react'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { routeHash } from '../state/route.ts'
import { isUsable } from '../state/selectors.ts'
import { removeServer } from '../state/server-actions.ts'
import { navigate } from '../state/view-store.ts'
import { Menu } from '../ui/Menu.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { firstRemedy } from './doctor/first-remedy.ts'
import { RemedyButton } from './doctor/RemedyButton.tsx'
import {
  installerLine,
  isUp,
  launchEnd,
  launchLine,
  offerLine,
  problemOf,
  saidLine,
  stateLabel,
  stateSentence,
} from './labels/server-labels.ts'
import { OnSwitch } from './overview/OnSwitch.tsx'

/** A server in the list; its name links to its page. */
export const ServerRow = memo(function ServerRow({ server }: { readonly server: ServerRecord }) {
  const problem = problemOf(server)
  const offers = offerLine(server.catalog)
  const sentence = stateSentence(server)
  const said = problem ? saidLine(problem) : installerLine(server)
  const remedy = firstRemedy(server)
  const { fence } = server.options
  const route = { section: 'servers', id: server.id } as const
  return (
    <div className="server-row hovers">
      <div className="column-tight grow">
        <div className="server-row-head actions">
          <a className="server-row-name" href={routeHash(route)}>
            <VisibleText text={server.name} />
          </a>
          <StatusDot {...stateLabel(server)} />
          {isUsable(server) && server.hello ? <span className="meta">{offers || 'Offers nothing'}</span> : null}
          {problem || !sentence ? null : <span className="meta">{sentence}</span>}
        </div>
        <div className="server-row-launch row meta">
          <span className="one-line" title={visibleText(launchLine(server.launch))}>
            <VisibleText text={launchEnd(server.launch)} />
          </span>
          {server.changePending ? <span className="chip chip-wait">Changed in mcp.json</span> : null}
          {server.wantsFolders ? <span className="chip">Wants a folder</span> : null}
          {fence ? <span className="chip">{fence.network === 'any' ? 'Fenced, with network' : 'Fenced'}</span> : null}
          {server.options.muted ? <span className="chip">Muted</span> : null}
        </div>
        {problem ? <div className="ui-field-problem">{problem.what}</div> : null}
        {said ? <VisibleText as="code" className="soft one-line" text={said} /> : null}
      </div>
      {remedy ? (
        <div className="server-row-remedy">
          <RemedyButton server={server} remedy={remedy} />
        </div>
      ) : null}
      <OnSwitch bare server={server} />
      <Menu
        label={`Actions for ${visibleText(server.name)}`}
        items={[
          isUp(server)
            ? { label: 'Stop server', onSelect: () => void attempt(ask('server.stop', { serverId: server.id })) }
            : { label: 'Start server', onSelect: () => void attempt(ask('server.start', { serverId: server.id })) },
          { label: 'Show log', onSelect: () => navigate({ ...route, tab: 'log' }) },
          ...(server.builtIn ? [] : [{ label: 'Remove', danger: true, onSelect: () => void attempt(removeServer(server)) }]),
        ]}
      />
    </div>
  )
})
