import { memo, useState } from 'react'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { TokenUsage } from '../../../src-shared/contract/settings.ts'
import { NotChecked } from '../../content/ArgumentNotes.tsx'
import { ArgumentsTable } from '../../content/ArgumentsTable.tsx'
import { ToolResult } from '../../content/ToolResult.tsx'
import { LongText } from '../../content/text/LongText.tsx'
import { Button } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { CallOutcome } from './CallOutcome.tsx'
import { usageLabel } from './usage-labels.ts'

const ALLOWED_BY: Readonly<Record<NonNullable<ToolCall['allowedBy']>, string>> = {
  person: 'You allowed this call',
  'task-rule': 'Allowed by your rule for this reply',
  'conversation-rule': 'Allowed by your rule for this conversation',
  'project-rule': 'Allowed by your rule for this project',
  'always-rule': 'Allowed by your rule',
  free: 'Allowed without asking',
  'view-open': 'You let this view call it while it was open',
}

export interface CallDetailsProps {
  readonly call: ToolCall
  /** The round of the turn that made the call, from 1. */
  readonly round: number
  readonly usage: TokenUsage | undefined
}

/** Everything about a call: arguments, result, who allowed it, tokens, and the result as JSON. */
export const CallDetails = memo(function CallDetails({ call, round, usage }: CallDetailsProps) {
  return (
    <>
      <ArgumentsTable json={call.arguments} />
      {call.proposed ? (
        <Disclosure summary={`You changed the arguments. The ${call.byApp === undefined ? 'model' : 'app'} wrote`}>
          <ArgumentsTable json={call.proposed} />
        </Disclosure>
      ) : null}
      <NotChecked why={call.unchecked} />
      <CallOutcome call={call} />
      {call.received ? (
        <Disclosure summary={receivedLabel(call)}>
          <ToolResult result={call.received} from={call.serverId && { serverId: call.serverId, tool: call.tool }} />
        </Disclosure>
      ) : null}
      {call.result ? <RawResult result={call.result} /> : null}
      {call.allowedBy ? <div className="meta">{allowedLabel(call.allowedBy, call.why)}</div> : null}
      <div className="meta">
        {call.byApp === undefined
          ? `Round ${round}${usage ? `: ${usageLabel(usage)}` : ''}`
          : 'The model does not see this call.'}
      </div>
    </>
  )
})

function receivedLabel({ status, result }: ToolCall): string {
  if (status !== 'finished') return 'The model does not have this result. The server sent'
  return result ? 'You changed the result. The server sent' : 'You withheld the result. The server sent'
}

function RawResult({ result }: { readonly result: NonNullable<ToolCall['result']> }) {
  const [raw, setRaw] = useState(false)
  return (
    <div className="call-raw column-1">
      <Button size="small" variant="quiet" aria-expanded={raw} onClick={() => setRaw(!raw)}>
        Result as JSON
      </Button>
      {raw ? (
        <div className="framed">
          <LongText content={{ text: JSON.stringify(result, null, 2) }} />
        </div>
      ) : null}
    </div>
  )
}

/** The person or rule that allowed the call, and the reason. */
export function allowedLabel(by: NonNullable<ToolCall['allowedBy']>, why: string | undefined): string {
  const rest = why?.replace(/^You allowed it\. /, '')
  return rest ? `${ALLOWED_BY[by]} · ${visibleText(rest)}` : ALLOWED_BY[by]
}
