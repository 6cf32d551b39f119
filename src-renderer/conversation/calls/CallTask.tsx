import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { progressText } from '../../content/CallProgress.tsx'
import { TaskMessage, taskMessage } from '../../content/TaskMessage.tsx'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { isUntold } from '../../state/selectors.ts'
import { Button } from '../../ui/Button.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'

interface CallTaskProps {
  readonly conversationId: ConversationId
  readonly call: ToolCall
}

/** A call in the background: its server's words while it runs, and afterwards a way for the model to get a late result. */
export function CallTask(props: CallTaskProps) {
  return props.call.status === 'running' ? <RunningTask {...props} /> : <LateResult {...props} />
}

function RunningTask({ conversationId, call }: CallTaskProps) {
  const message = useHost(({ host }) => taskMessage({ serverId: call.serverId, message: call.task?.message }, host.servers))
  const awaited = useHost(({ host }) => host.background.some(({ id, awaited }) => awaited && id === call.id))
  const reached = call.progress ? undefined : call.task?.reached
  if (!message && !awaited && !reached) return null
  return (
    <div className="call-body line">
      {message ? <TaskMessage text={message} serverId={call.serverId} /> : null}
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
