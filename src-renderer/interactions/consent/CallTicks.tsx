import { type ConsentCall, onlyReads } from '../../../src-shared/contract/consent.ts'
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
import { groupsOf, markedIn, powersOf, serversOf, sharedReason, withSharedWarnings } from './consent-calls.ts'
import { CallReasons } from './Reason.tsx'
import { ToolChange } from './ToolChange.tsx'

interface CallTicksProps {
  readonly calls: readonly ConsentCall[]
  readonly unticked: readonly ToolCallId[]
  readonly onChange: (unticked: readonly ToolCallId[]) => void
  readonly conversationId: ConversationId | undefined
}

/** The calls of a round by tool, each with its tick. The frame names a tool that is called alone. */
export function CallTicks({ calls: all, ...rest }: CallTicksProps) {
  const shared = sharedReason(all) !== undefined
  const { warnings, calls } = withSharedWarnings(all)
  const own = { ...rest, shared, warned: warnings.length > 0 }
  const groups = groupsOf(calls)
  if (groups.length === 1) return <GroupTicks calls={calls} {...own} />
  const servers = serversOf(calls)
  return groups.map(({ key, first, calls: grouped }) => (
    <fieldset className="consent-group" key={key}>
      <legend>
        <VisibleText as="code" className="strong" text={first.tool} />{' '}
        {servers.length > 1 ? (
          <>
            on <VisibleText as="strong" text={first.serverName} />{' '}
          </>
        ) : null}
        <PowerBadges {...powersOf(grouped)} known={first.known} />
      </legend>
      <GroupTicks calls={grouped} {...own} />
      <div className="question-folds">
        <CalledTool json={false} call={first} />
      </div>
    </fieldset>
  ))
}

interface GroupTicksProps extends CallTicksProps {
  /** The reason is that of all calls. */
  readonly shared: boolean
  /** The calls have warnings in common, which stand above them. */
  readonly warned: boolean
}

/** Calls of one tool: in rows where these can show everything. */
function GroupTicks({ calls, shared, warned, unticked, onChange, conversationId }: GroupTicksProps) {
  const table = shared ? callTable(calls) : undefined
  const onTick = (id: ToolCallId, ticked: boolean) =>
    onChange(ticked ? unticked.filter((other) => other !== id) : [...unticked, id])
  return (
    <>
      {table ? (
        <CallRows table={table} calls={calls} unticked={unticked} onTick={onTick} />
      ) : (
        calls.map((call) => (
          <CallTick
            key={call.toolCallId}
            call={call}
            shared={shared}
            warned={warned}
            ticked={!unticked.includes(call.toolCallId)}
            onTick={(ticked) => onTick(call.toolCallId, ticked)}
            conversationId={conversationId}
          />
        ))
      )}
      <ToolChange changed={calls[0]?.changed} />
    </>
  )
}

interface CallTickProps extends Pick<GroupTicksProps, 'shared' | 'warned' | 'conversationId'> {
  readonly call: ConsentCall
  readonly ticked: boolean
  readonly onTick: (ticked: boolean) => void
}

/** One call: its tick, named by its tool and what tells it from its neighbours, its warnings, and what would be sent. */
function CallTick({ call, shared, warned, ticked, onTick, conversationId }: CallTickProps) {
  const table = <ArgumentsTable open json={call.arguments} order={call.order} marked={markedIn(call)} />
  return (
    <div className="consent-call">
      <Checkbox label={<CallName call={call} />} checked={ticked} onChange={onTick} />
      <div className="column-1 indented">
        <CallReasons call={call} shared={shared} conversationId={conversationId} />
        {onlyReads(call.powers) && call.guards.length === 0 && !warned ? (
          <Disclosure summary="Arguments">{table}</Disclosure>
        ) : (
          table
        )}
        <SentAsHeaders names={call.mirrored} />
        <NotChecked why={call.unchecked} />
      </div>
    </div>
  )
}
