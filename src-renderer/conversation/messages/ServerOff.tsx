import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { Button } from '../../ui/Button.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

interface ServerOffProps {
  readonly serverId: ServerId
  /** A question is open: nothing else is offered. */
  readonly quiet: boolean
}

/** Offers to turn on a server with tools that the model looked for. */
export function ServerOff({ serverId, quiet }: ServerOffProps) {
  const server = useHost((mirror) => mirror.host.servers[serverId])
  if (!server || server.options.enabled || quiet) return null
  return (
    <div className="ui-offer line small framed">
      <span>
        <VisibleText text={server.name} /> is off. It has tools that the model looked for.
      </span>
      <Button size="small" onClick={() => void attempt(ask('server.setOptions', { serverId, options: { enabled: true } }))}>
        Turn on
      </Button>
    </div>
  )
}
