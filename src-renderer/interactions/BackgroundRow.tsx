import { useId } from 'react'
import type { BackgroundCall } from '../../src-shared/contract/conversations.ts'
import { TaskMessage, taskMessage } from '../content/TaskMessage.tsx'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { conversationTitle } from '../state/selectors.ts'
import { Button } from '../ui/Button.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'

const ENDED = { finished: 'Finished', failed: 'Failed' } as const

/** One call in the background: the tool, its conversation, since when, and its cancellation. */
export function BackgroundRow({ call }: { readonly call: BackgroundCall }) {
  const { id: toolCallId, conversationId, serverId, ended, progress } = call
  const message = useHost(({ host }) => (ended ? call.message : taskMessage(call, host.servers)))
  const id = useId()
  return (
    <li className="inbox-row">
      <div className="column-tight grow">
        <div id={id} className="medium">
          <VisibleText text={call.tool} /> · <VisibleText text={call.serverName} />
        </div>
        <div className="meta">
          <a href={routeHash({ section: 'conversations', id: conversationId })}>
            <VisibleText text={conversationTitle(call)} />
          </a>
          {' · '}
          {ended ? ENDED[ended] : <RelativeTime at={call.since} />}
          {message ? (
            <>
              {' · '}
              <TaskMessage text={message} serverId={serverId} />
            </>
          ) : null}
          {progress?.total ? ` · ${Math.floor(Math.min(1, Math.max(0, progress.progress / progress.total)) * 100)} %` : null}
        </div>
      </div>
      {ended ? null : (
        <Button
          size="small"
          aria-describedby={id}
          onClick={() => void attempt(ask('toolCall.cancel', { id: conversationId, toolCallId }))}
        >
          Cancel this call
        </Button>
      )}
    </li>
  )
}
