import { type ConsentCall, onlyReads } from '../../../src-shared/contract/consent.ts'
import type { ConversationId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { NotChecked, SentAsHeaders } from '../../content/ArgumentNotes.tsx'
import { ArgumentsTable } from '../../content/ArgumentsTable.tsx'
import { GuardNotes } from '../../content/GuardNotes.tsx'
import { PowerBadges } from '../../content/PowerBadges.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { type CallGroup, groupsOf, markedIn } from './consent-calls.ts'
import { ServerAccount } from './ServerAccount.tsx'
import { ToolChange } from './ToolChange.tsx'

/** So many calls that do more than read are shown with all that they would send. */
const FEW = 3

export interface CallTicksProps {
  readonly calls: readonly ConsentCall[]
  readonly unticked: readonly ToolCallId[]
  readonly onChange: (unticked: readonly ToolCallId[]) => void
  readonly conversationId: ConversationId | undefined
}

/** The calls of a round by tool, each with its tick. */
export function CallTicks({ calls, unticked, onChange, conversationId }: CallTicksProps) {
  const few = calls.filter(doesMore).length <= FEW
  return groupsOf(calls).map((group) => (
    <fieldset className="consent-group" key={group.key}>
      <GroupHead group={group} />
      {group.calls.map((call) => (
        <CallTick
          key={call.toolCallId}
          call={call}
          open={few && doesMore(call)}
          ticked={!unticked.includes(call.toolCallId)}
          onTick={(ticked) => onChange(ticked ? unticked.filter((id) => id !== call.toolCallId) : [...unticked, call.toolCallId])}
          conversationId={conversationId}
        />
      ))}
      <ToolChange changed={group.first.changed} />
      <ServerAccount short call={group.first} />
    </fieldset>
  ))
}

function GroupHead({ group: { first, calls } }: { readonly group: CallGroup }) {
  const powers = [...new Set(calls.flatMap((call) => call.powers))]
  return (
    <>
      <legend>
        <VisibleText as="code" className="question-tool" text={first.tool} /> on{' '}
        <VisibleText as="strong" text={first.serverName} />
      </legend>
      <PowerBadges powers={powers} known={first.known} />
    </>
  )
}

const doesMore = ({ powers }: ConsentCall) => !onlyReads(powers)

interface CallTickProps {
  readonly call: ConsentCall
  /** Its arguments are in sight. */
  readonly open: boolean
  readonly ticked: boolean
  readonly onTick: (ticked: boolean) => void
  readonly conversationId: ConversationId | undefined
}

/** One call: its tick, named by its tool and what tells it from its neighbours, its warnings, and what would be sent. */
function CallTick({ call, open, ticked, onTick, conversationId }: CallTickProps) {
  return (
    <div className="consent-call">
      <Checkbox
        label={
          <span className="consent-call-name">
            <VisibleText text={call.tool} />
            {call.telling === undefined ? null : (
              <>
                {' '}
                <VisibleText as="strong" text={call.telling} />
              </>
            )}
          </span>
        }
        checked={ticked}
        onChange={onTick}
      />
      <div className="consent-call-more">
        <GuardNotes guards={call.guards} conversationId={conversationId} />
        <details open={open || call.guards.length > 0}>
          <summary className="meta">Arguments</summary>
          <ArgumentsTable json={call.arguments} marked={markedIn(call)} />
        </details>
        <SentAsHeaders names={call.mirrored} />
        <NotChecked why={call.unchecked} />
      </div>
    </div>
  )
}
