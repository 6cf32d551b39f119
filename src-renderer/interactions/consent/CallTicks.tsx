import type { ReactNode } from 'react'
import { type ConsentCall, onlyReads } from '../../../src-shared/contract/consent.ts'
import type { ConversationId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { NotChecked, SentAsHeaders } from '../../content/ArgumentNotes.tsx'
import { ArgumentsTable } from '../../content/ArgumentsTable.tsx'
import { PowerBadges } from '../../content/PowerBadges.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { CallName } from './CallName.tsx'
import { CallRows } from './CallRows.tsx'
import { callTable } from './call-table.ts'
import { combinedPowers, groupsOf, markedIn, serversOf, sharedReason, withSharedWarnings } from './consent-calls.ts'
import { CallReasons } from './Reason.tsx'
import { ToolChange } from './ToolChange.tsx'

interface CallTicksProps {
  readonly calls: readonly ConsentCall[]
  readonly unticked: readonly ToolCallId[]
  readonly onChange: (unticked: readonly ToolCallId[]) => void
  readonly conversationId: ConversationId | undefined
}

/** The calls of a round by tool, each with its tick. A tool that is called several times has a frame with its name. */
export function CallTicks({ calls: all, ...rest }: CallTicksProps) {
  const shared = sharedReason(all) !== undefined
  const { warnings, calls } = withSharedWarnings(all)
  const own = { ...rest, shared, warned: warnings.length > 0 }
  const groups = groupsOf(calls)
  if (groups.length === 1) return <GroupTicks calls={calls} {...own} />
  const severalServers = serversOf(calls).length > 1
  return groups.map(({ key, first, calls: grouped }) => {
    const about = (
      <>
        {severalServers ? (
          <span>
            on <VisibleText as="strong" text={first.serverName} />
          </span>
        ) : null}
        <PowerBadges {...combinedPowers(grouped)} known={first.known} />
      </>
    )
    if (grouped.length === 1) return <GroupTicks key={key} calls={grouped} {...own} about={about} />
    return (
      <fieldset className="consent-group" key={key}>
        <legend className="line">
          <VisibleText as="code" className="strong" text={first.tool} />
          {about}
        </legend>
        <GroupTicks calls={grouped} {...own} />
      </fieldset>
    )
  })
}

interface GroupTicksProps extends CallTicksProps {
  /** The reason is that of all calls. */
  readonly shared: boolean
  /** The calls have warnings in common, which stand above them. */
  readonly warned: boolean
  /** The server and the powers of the only call of its tool, beside its name. */
  readonly about?: ReactNode
}

/** Calls of one tool: in rows where these can show everything. */
function GroupTicks({ calls, shared, warned, about, unticked, onChange, conversationId }: GroupTicksProps) {
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
            about={about}
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

interface CallTickProps extends Pick<GroupTicksProps, 'shared' | 'warned' | 'about' | 'conversationId'> {
  readonly call: ConsentCall
  readonly ticked: boolean
  readonly onTick: (ticked: boolean) => void
}

/** One call: its tick, named by its tool and what tells it from its neighbours, its warnings, and what would be sent. */
function CallTick({ call, shared, warned, about, ticked, onTick, conversationId }: CallTickProps) {
  const table = <ArgumentsTable open json={call.arguments} order={call.order} marked={markedIn(call)} />
  const isFolded = onlyReads(call.powers) && call.guards.length === 0 && !warned
  return (
    <div className="consent-call column-1">
      <div className="line">
        <Checkbox
          label={<CallName call={call} {...(about && !isFolded && { unseen: 'telling' })} />}
          checked={ticked}
          onChange={onTick}
        />
        {about}
        {isFolded ? <Disclosure summary="Arguments">{table}</Disclosure> : null}
      </div>
      <div className="column-1 indented">
        <CallReasons call={call} shared={shared} conversationId={conversationId} />
        {isFolded ? null : table}
        <SentAsHeaders names={call.mirrored} />
        <NotChecked why={call.unchecked} />
      </div>
    </div>
  )
}
