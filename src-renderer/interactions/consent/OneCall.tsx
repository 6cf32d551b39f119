import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { NotChecked, SentAsHeaders } from '../../content/ArgumentNotes.tsx'
import { ArgumentsTable } from '../../content/ArgumentsTable.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { markedIn } from './consent-calls.ts'
import { FurtherWarnings } from './Reason.tsx'
import { ToolChange } from './ToolChange.tsx'

interface OneCallProps {
  readonly call: ConsentCall
  readonly conversationId: ConversationId | undefined
}

/** The only call of a question: all that would be sent, open, and the warnings about it. */
export function OneCall({ call, conversationId }: OneCallProps) {
  return (
    <>
      <div>
        <h3 className="unseen">Arguments</h3>
        <ArgumentsTable open json={call.arguments} order={call.order} marked={markedIn(call)} />
        <SentAsHeaders names={call.mirrored} />
        <NotChecked why={call.unchecked} />
      </div>
      {call.proposed ? (
        <Disclosure summary={`You changed the arguments. ${call.undoes ? 'Parley' : call.byApp ? 'The app' : 'The model'} wrote`}>
          <ArgumentsTable json={call.proposed} />
        </Disclosure>
      ) : null}
      <FurtherWarnings call={call} conversationId={conversationId} />
      <ToolChange changed={call.changed} />
    </>
  )
}
