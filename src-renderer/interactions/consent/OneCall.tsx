import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { NotChecked, SentAsHeaders } from '../../content/ArgumentNotes.tsx'
import { ArgumentsTable } from '../../content/ArgumentsTable.tsx'
import { GuardNotes } from '../../content/GuardNotes.tsx'
import { PowerBadges } from '../../content/PowerBadges.tsx'
import { markedIn } from './consent-calls.ts'
import { ToolChange } from './ToolChange.tsx'

export interface OneCallProps {
  readonly call: ConsentCall
  readonly conversationId: ConversationId | undefined
}

/** The only call of a question: what would be sent comes before everything that is said about it. */
export function OneCall({ call, conversationId }: OneCallProps) {
  return (
    <>
      <div>
        <h3 className="unseen">Arguments</h3>
        <ArgumentsTable json={call.arguments} marked={markedIn(call)} />
        <SentAsHeaders names={call.mirrored} />
        <NotChecked why={call.unchecked} />
      </div>
      <PowerBadges powers={call.powers} known={call.known} />
      <GuardNotes guards={call.guards} conversationId={conversationId} />
      <ToolChange changed={call.changed} />
    </>
  )
}
