import { memo } from 'react'
import { STATUS_WORDS, type ToolCall, type ToolCallStatus } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { ArgumentsTable } from '../../content/ArgumentsTable.tsx'
import { CallProgress } from '../../content/CallProgress.tsx'
import { NotChecked } from '../../content/NotChecked.tsx'
import { ToolResult } from '../../content/ToolResult.tsx'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { Button } from '../../ui/Button.tsx'
import { ToolIcon } from '../../ui/icons.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { StatusDot, type StatusDotProps } from '../../ui/StatusDot.tsx'
import { duration } from '../../ui/time.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'

const TONES: Readonly<Record<ToolCallStatus, StatusDotProps['tone']>> = {
  proposed: 'wait',
  asking: 'wait',
  running: 'wait',
  finished: 'ok',
  failed: 'fail',
  declined: 'idle',
  cancelled: 'idle',
  interrupted: 'fail',
}

const ALLOWED_BY: Readonly<Record<NonNullable<ToolCall['allowedBy']>, string>> = {
  person: 'You allowed this call',
  'task-rule': 'Allowed by your rule for this turn',
  'conversation-rule': 'Allowed by your rule for this conversation',
  'always-rule': 'Allowed by your rule',
  free: 'Allowed without asking',
}

export interface ToolCallCardProps {
  readonly conversationId: ConversationId
  readonly call: ToolCall
  /** A question is open beside it, whose own words would repeat those of the card's button. */
  readonly questionOpen: boolean
}

/** One tool call from proposal to result. Its name and its status word are promises to screen readers. */
export const ToolCallCard = memo(function ToolCallCard({ conversationId, call, questionOpen }: ToolCallCardProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" className="tool-call" id={`call-${call.id}`} aria-label={`Tool call: ${call.tool}`}>
      <div className="tool-call-head">
        <ToolIcon />
        <span className="tool-call-name">
          <VisibleText text={call.tool} />
        </span>
        {call.serverName === undefined ? null : (
          <span className="tool-call-server">
            <VisibleText text={call.serverName} />
          </span>
        )}
        <span className="tool-call-status">
          <Elapsed call={call} />
          <StatusDot tone={call.result?.isError ? 'fail' : TONES[call.status]} word={STATUS_WORDS[call.status]} />
        </span>
      </div>
      <details className="tool-call-part" open={call.arguments.json.length <= 200}>
        <summary className="meta">Arguments</summary>
        <ArgumentsTable json={call.arguments} />
        <NotChecked why={call.unchecked} />
      </details>
      {call.status === 'running' ? (
        <div className="tool-call-part">
          <CallProgress
            id={call.id}
            tool={call.tool}
            startedAt={call.startedAt ?? call.proposedAt}
            progress={call.progress}
            overdue={call.overdue}
            stop={questionOpen ? null : <Stop conversationId={conversationId} call={call} />}
          />
        </div>
      ) : null}
      {call.result ? (
        <div className="tool-call-part">
          <ToolResult result={call.result} from={call.serverId && { serverId: call.serverId, tool: call.tool }} />
        </div>
      ) : null}
      {call.problem ? (
        <div className="tool-call-part">
          <ProblemCard
            problem={call.problem}
            level={call.status === 'declined' || call.status === 'cancelled' ? 'info' : 'error'}
          />
        </div>
      ) : null}
      {call.allowedBy ? <div className="tool-call-part meta">{allowedWords(call.allowedBy, call.why)}</div> : null}
    </div>
  )
})

/** Who allowed it, and why it was asked about or was not. */
export function allowedWords(by: NonNullable<ToolCall['allowedBy']>, why: string | undefined): string {
  const rest = why?.replace(/^You allowed it\. /, '')
  return rest ? `${ALLOWED_BY[by]} · ${visibleText(rest)}` : ALLOWED_BY[by]
}

function Stop({ conversationId, call }: Pick<ToolCallCardProps, 'conversationId' | 'call'>) {
  if (call.cancelling) return <span className="meta">The server was asked to stop and has not answered yet.</span>
  return (
    <Button size="small" onClick={() => void attempt(ask('toolCall.cancel', { id: conversationId, toolCallId: call.id }))}>
      Cancel this call
    </Button>
  )
}

/** How long it took, when that is worth telling; while it runs, its progress says so. */
function Elapsed({ call: { startedAt, finishedAt } }: { readonly call: ToolCall }) {
  if (startedAt === undefined || finishedAt === undefined || finishedAt - startedAt < 1000) return null
  return <span className="meta">{duration(finishedAt - startedAt)}</span>
}
