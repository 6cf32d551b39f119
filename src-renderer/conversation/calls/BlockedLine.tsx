import { blockedSentence } from '../../../src-shared/contract/blocked-sentence.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import { useHost } from '../../state/host-store.ts'
import { navigate } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

export interface BlockedLineProps {
  readonly call: ToolCall
}

/** Says at a call what the fence of its server kept from it. */
export function BlockedLine({ call: { serverId, blocked = [] } }: BlockedLineProps) {
  const waits = useHost(({ host }) => {
    const names = serverId && host.servers[serverId]?.blocked?.map(({ name }) => name)
    return blocked.some(({ name }) => names?.includes(name))
  })
  return (
    <div className="line small">
      <VisibleText className="breaks" text={blocked.map(blockedSentence).join(' ')} />
      {serverId && waits ? (
        <Button size="small" onClick={() => navigate({ section: 'servers', id: serverId, tab: 'fence' })}>
          Allow …
        </Button>
      ) : null}
    </div>
  )
}
