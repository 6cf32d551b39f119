import { type ConsentCall, onlyReads, type Power } from '../../../src-shared/contract/consent.ts'
import type { ConversationId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { NotChecked, SentAsHeaders } from '../../content/ArgumentNotes.tsx'
import { ArgumentsTable } from '../../content/ArgumentsTable.tsx'
import { PowerBadges } from '../../content/PowerBadges.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { CalledTool } from './CalledTool.tsx'
import { CallName } from './CallName.tsx'
import { CallRows } from './CallRows.tsx'
import { callTable } from './call-table.ts'
import { type CallGroup, groupsOf, markedIn, sharedReason } from './consent-calls.ts'
import { CallReasons } from './Reason.tsx'
import { ToolChange } from './ToolChange.tsx'

interface CallTicksProps {
  readonly calls: readonly ConsentCall[]
  readonly unticked: readonly ToolCallId[]
  readonly onChange: (unticked: readonly ToolCallId[]) => void
  readonly conversationId: ConversationId | undefined
}

/** The calls of a round by tool, each with its tick. */
export function CallTicks({ calls, unticked, onChange, conversationId }: CallTicksProps) {
  const shared = sharedReason(calls) !== undefined
  const onTick = (id: ToolCallId, ticked: boolean) =>
    onChange(ticked ? unticked.filter((other) => other !== id) : [...unticked, id])
  return groupsOf(calls).map((group) => {
    const table = shared ? callTable(group.calls) : undefined
    return (
      <fieldset className="consent-group" key={group.key}>
        <GroupHead group={group} />
        {table ? (
          <CallRows table={table} calls={group.calls} unticked={unticked} onTick={onTick} />
        ) : (
          group.calls.map((call) => (
            <CallTick
              key={call.toolCallId}
              call={call}
              shared={shared}
              ticked={!unticked.includes(call.toolCallId)}
              onTick={(ticked) => onTick(call.toolCallId, ticked)}
              conversationId={conversationId}
            />
          ))
        )}
        <ToolChange changed={group.first.changed} />
        <div className="question-folds">
          <CalledTool json={false} call={group.first} />
        </div>
      </fieldset>
    )
  })
}

function GroupHead({ group: { first, calls } }: { readonly group: CallGroup }) {
  const powers = [...new Set(calls.flatMap((call) => call.powers))]
  const isPossible = (power: Power) => calls.every((call) => !call.powers.includes(power) || call.possible?.includes(power))
  return (
    <legend>
      <VisibleText as="code" className="strong" text={first.tool} /> on <VisibleText as="strong" text={first.serverName} />{' '}
      <PowerBadges powers={powers} known={first.known} possible={powers.filter(isPossible)} />
    </legend>
  )
}

interface CallTickProps {
  readonly call: ConsentCall
  /** The reason is that of all calls. */
  readonly shared: boolean
  readonly ticked: boolean
  readonly onTick: (ticked: boolean) => void
  readonly conversationId: ConversationId | undefined
}

/** One call: its tick, named by its tool and what tells it from its neighbours, its warnings, and what would be sent. */
function CallTick({ call, shared, ticked, onTick, conversationId }: CallTickProps) {
  const table = <ArgumentsTable open json={call.arguments} order={call.order} marked={markedIn(call)} />
  return (
    <div className="consent-call">
      <Checkbox label={<CallName call={call} />} checked={ticked} onChange={onTick} />
      <div className="column-1 indented">
        <CallReasons call={call} shared={shared} conversationId={conversationId} />
        {onlyReads(call.powers) && call.guards.length === 0 ? <Disclosure summary="Arguments">{table}</Disclosure> : table}
        <SentAsHeaders names={call.mirrored} />
        <NotChecked why={call.unchecked} />
      </div>
    </div>
  )
}
