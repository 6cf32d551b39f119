import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { isUsable } from '../../state/selectors.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { stateLabel } from '../labels/server-labels.ts'

/** The reason why a list is empty: the server has no such items, or is not ready. */
export function NotConnected({ server, what }: { readonly server: ServerRecord; readonly what: string }) {
  if (isUsable(server) && server.hello) return <EmptyState title={`This server offers no ${what}`} />
  return (
    <EmptyState title={`No ${what} yet`}>
      {server.state.is === 'idle'
        ? 'They appear once it has started.'
        : `They appear once the server is ready. It is now: ${stateLabel(server).word.toLowerCase()}.`}
    </EmptyState>
  )
}
