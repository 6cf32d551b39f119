import { blockedSentence } from '../../../src-shared/contract/blocked-sentence.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { useAction } from '../../state/use-action.ts'
import { navigate } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

export interface BlockedLineProps {
  readonly call: ToolCall
  readonly conversationId: ConversationId
}

/** Says at a call what the fence of its server kept from it. A folder or a host is let in here; the network is chosen on the server's page. */
export function BlockedLine({ call: { serverId, blocked = [] }, conversationId }: BlockedLineProps) {
  const waiting = useHost(({ host }) => (serverId ? host.servers[serverId]?.blocked : undefined))
  const { run, busy, problem } = useAction()
  const waits = blocked.filter(({ name }) => waiting?.some((one) => one.name === name))
  const open = (server: ServerId, name: string) =>
    run(async () => {
      const { opened } = await ask('fence.open', { serverId: server, name })
      // Without the name, which the server may have chosen: the person's own words free what they name.
      if (opened) await ask('conversation.send', { id: conversationId, text: 'Its fence is open for this now. Try again.' })
    })
  return (
    <div className="line small">
      <VisibleText className="breaks" text={blocked.map(blockedSentence).join(' ')} />
      {serverId && waits.some(({ kind }) => kind === 'network') ? (
        <Button size="small" onClick={() => navigate({ section: 'servers', id: serverId, tab: 'fence' })}>
          Allow …
        </Button>
      ) : null}
      {serverId
        ? waits.map(({ kind, name, write }) =>
            kind === 'network' ? null : (
              <Button key={name} size="small" disabled={busy} onClick={() => void open(serverId, name)}>
                <span>
                  {write ? 'Let it change' : 'Let it reach'} <VisibleText text={name} /> and try again
                </span>
              </Button>
            ),
          )
        : null}
      <FailureLine problem={problem} />
    </div>
  )
}
