import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { progressText } from '../../content/CallProgress.tsx'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { isUntold } from '../../state/selectors.ts'
import { Button } from '../../ui/Button.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

interface CallTaskProps {
  readonly conversationId: ConversationId
  readonly call: ToolCall
}

/** A call in the background: its server's words while it runs, and afterwards a way for the model to get a late result. */
export function CallTask(props: CallTaskProps) {
  return props.call.status === 'running' ? <RunningTask {...props} /> : <LateResult {...props} />
}

function RunningTask({ conversationId, call }: CallTaskProps) {
  const message = useHost(({ host }) => taskMessage(call, host.servers))
  const awaited = useHost(({ host }) => host.background.some(({ id, awaited }) => awaited && id === call.id))
  const reached = call.progress ? undefined : call.task?.reached
  if (!message && !awaited && !reached) return null
  return (
    <div className="call-body line">
      {message ? <VisibleText as="span" className="meta" text={message} /> : null}
      {reached ? (
        <span className="meta">
          Was at {progressText(reached)} <RelativeTime at={reached.at} />.
        </span>
      ) : null}
      {awaited && !call.cancelling ? (
        <Button size="small" onClick={() => void attempt(ask('toolCall.leave', { id: conversationId, toolCallId: call.id }))}>
          Continue without it
        </Button>
      ) : null}
    </div>
  )
}

/** Why the task is not asked about now, else its server's words. */
export function taskMessage(
  { serverId, task }: Pick<ToolCall, 'serverId' | 'task'>,
  servers: Readonly<Record<ServerId, Pick<ServerRecord, 'state' | 'signIn'>>>,
): string | undefined {
  const server = serverId && servers[serverId]
  if (serverId && server?.state.is !== 'ready') return 'Not connected. Parley asks again when the server is back.'
  if (server?.signIn?.is === 'needed') return 'Not signed in. Parley asks again when you are.'
  return task?.message
}

function LateResult({ conversationId, call }: CallTaskProps) {
  const untold = useHost((mirror) => isUntold(mirror.topics[`conversation/${conversationId}`], call))
  if (!untold) return null
  return (
    <div className="call-body line">
      <span className="meta">The model has not seen this result.</span>
      <Button size="small" onClick={() => void attempt(ask('toolCall.give', { id: conversationId, toolCallId: call.id }))}>
        Give result to the model
      </Button>
    </div>
  )
}
