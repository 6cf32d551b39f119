import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { VisibleText } from '../ui/VisibleText.tsx'

interface TaskOfServer {
  readonly serverId?: ServerId | undefined
  /** The server's words. */
  readonly message?: string | undefined
}

type Server = Pick<ServerRecord, 'state' | 'signIn'>

/** Why the task is not asked about now, else its server's words. */
export function taskMessage(
  { serverId, message }: TaskOfServer,
  servers: Readonly<Record<ServerId, Server>>,
): string | undefined {
  const server = serverId && servers[serverId]
  if (needsSignIn(server)) return 'Not signed in. Parley asks again when you are.'
  if (serverId && server?.state.is !== 'ready') return 'Not connected. Parley asks again when the server is back.'
  return message
}

const needsSignIn = (server: Server | undefined) => server?.state.is === 'needs-sign-in' || server?.signIn?.is === 'needed'

interface TaskMessageProps extends Pick<TaskOfServer, 'serverId'> {
  readonly text: string
}

/** The words of `taskMessage`, and the way to the page where the person signs in. */
export function TaskMessage({ text, serverId }: TaskMessageProps) {
  const signsIn = useHost(({ host }) => needsSignIn(serverId && host.servers[serverId]))
  return (
    <span className="meta">
      <VisibleText text={text} />
      {signsIn && serverId ? (
        <>
          {' '}
          <a href={routeHash({ section: 'servers', id: serverId })}>Sign in</a>
        </>
      ) : null}
    </span>
  )
}
