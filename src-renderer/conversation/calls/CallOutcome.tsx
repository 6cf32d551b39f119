import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import { ToolResult } from '../../content/ToolResult.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'

/** The result, or the reason for its absence. */
export function CallOutcome({ call }: { readonly call: ToolCall }) {
  return (
    <>
      <Unanswered call={call} />
      {call.result ? (
        <ToolResult result={call.result} from={call.serverId && { serverId: call.serverId, tool: call.tool }} />
      ) : null}
      <ProblemCard problem={call.problem} level={call.status === 'declined' || call.status === 'cancelled' ? 'info' : 'error'} />
    </>
  )
}

/** A question of the server that nobody answered, the usual reason for the error that follows. */
export function Unanswered({ call }: { readonly call: ToolCall }) {
  return <ProblemCard level="warning" problem={call.unanswered} />
}
