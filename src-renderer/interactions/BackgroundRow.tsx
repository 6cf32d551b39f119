import { useId } from 'react'
import type { BackgroundCall } from '../../src-shared/contract/conversations.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { routeHash } from '../state/route.ts'
import { conversationTitle } from '../state/selectors.ts'
import { Button } from '../ui/Button.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'

const ENDED = { finished: 'Finished', failed: 'Failed' } as const

/** One call in the background: the tool, its conversation, since when, and Stop. */
export function BackgroundRow({ call }: { readonly call: BackgroundCall }) {
  const { id: toolCallId, conversationId, ended, message, progress } = call
  const id = useId()
  return (
    <li className="inbox-row">
      <div className="inbox-row-text">
        <div id={id} className="inbox-row-sentence">
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
              <VisibleText text={message} />
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
          Stop
        </Button>
      )}
    </li>
  )
}
