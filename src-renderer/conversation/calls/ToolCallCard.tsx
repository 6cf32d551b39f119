import { memo, type ReactNode, useRef } from 'react'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { AppViewProps } from '../../apps/AppView.tsx'
import type { CallProgressProps } from '../../content/CallProgress.tsx'
import { ResultMedia } from '../../content/ToolResult.tsx'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost, useHostShallow } from '../../state/host-store.ts'
import { callsOfApp, questionOfCall } from '../../state/selectors.ts'
import { openQuestion, setOpened, useView } from '../../state/view-store.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { useNow } from '../../ui/time.ts'
import { visibleText } from '../../ui/visible-text.ts'
import type { BlockedLineProps } from './BlockedLine.tsx'
import type { CallDetailsProps } from './CallDetails.tsx'
import { CallLine, OpenMark } from './CallLine.tsx'
import { CallOutcome, Unanswered } from './CallOutcome.tsx'
import { stateOf } from './CallStatus.tsx'
import { hasMedia, isUnderWay } from './call-groups.ts'
import type { UndoCallProps } from './UndoCall.tsx'

const CallDetails = onDemand<CallDetailsProps>(() => import('./CallDetails.tsx').then((module) => module.CallDetails))
const UndoCall = onDemand<UndoCallProps>(() => import('./UndoCall.tsx').then((module) => module.UndoCall))

/** Most calls end before it is shown. */
const CallProgress = onDemand<CallProgressProps>(async () => (await import('../../content/CallProgress.tsx')).CallProgress)
const BlockedLine = onDemand<BlockedLineProps>(() => import('./BlockedLine.tsx').then((module) => module.BlockedLine))
/** The view of a call, which comes when the first one is shown. */
const AppView = onDemand<AppViewProps>(() => import('../../apps/AppView.tsx').then((module) => module.AppView))
/** A few calls are tasks, so what is shown of them comes when it is needed. */
const CallTask = onDemand(() => import('./CallTask.tsx').then((module) => module.CallTask))

/** Milliseconds before a running call shows its progress. */
const SHOWS_PROGRESS = 1000

interface ToolCallCardProps extends CallDetailsProps {
  readonly conversationId: ConversationId
  /** An open question has a button with the same label. */
  readonly questionOpen: boolean
  /** Its server differs from that of the line before. */
  readonly newServer: boolean
  /** Shown below the open line of a group. */
  readonly inGroup: boolean
}

/** One tool call from proposal to result: a line that opens. Screen readers and tests rely on its name and its status word. */
export const ToolCallCard = memo(function ToolCallCard(props: ToolCallCardProps) {
  const { call, conversationId, questionOpen, newServer, inGroup } = props
  const opened = useView((view) => view.opened[call.id] ?? false)
  const question = useHost((mirror) => (isUnderWay(call) ? questionOfCall(mirror.host.interactions, call.id) : undefined))
  const server = useHost(({ host }) => (call.serverId === undefined ? undefined : host.servers[call.serverId]?.state.is))
  const aside = useView((view) => question !== undefined && view.setAside.has(question.id))
  const details = `details-${call.id}`
  return (
    <CallBox call={call} look={inGroup ? 'call call-inset' : 'call'}>
      <div className="call-head row">
        <button
          type="button"
          className="call-line hovers row small grow"
          aria-expanded={opened}
          aria-controls={details}
          onClick={() => setOpened({ [call.id]: !opened })}
        >
          <CallLine call={call} state={stateOf(call, question !== undefined, server)} newServer={newServer} />
          <OpenMark open={opened} />
        </button>
        {question && aside ? (
          <Button size="small" variant="primary" onClick={() => openQuestion(question.id)}>
            Answer
          </Button>
        ) : null}
        {opened ? <UndoCall conversationId={conversationId} call={call} /> : null}
      </div>
      {call.status === 'running' ? (
        <Running
          conversationId={conversationId}
          call={call}
          questionOpen={questionOpen}
          asked={question !== undefined && !aside}
        />
      ) : null}
      <div id={details} hidden={!opened} className="call-body column">
        {opened ? <CallDetails call={call} round={props.round} usage={props.usage} /> : null}
      </div>
      {opened || isUnderWay(call) ? null : <ClosedResult call={call} />}
      {call.blocked ? <BlockedLine call={call} conversationId={conversationId} /> : null}
      {call.task && (call.status === 'running' || call.status === 'finished') ? (
        <CallTask conversationId={conversationId} call={call} />
      ) : null}
      {call.app?.is === 'kept' && !call.imported ? <AppView conversationId={conversationId} call={call} /> : null}
      {call.app?.is === 'kept' ? <CallsOfApp conversationId={conversationId} of={call} /> : null}
      {call.app?.is === 'missing' ? <p className="meta">No view: {visibleText(call.app.why)}</p> : null}
    </CallBox>
  )
})

/** Calls that a view made, which no reply holds (APP-18). */
function CallsOfApp({ conversationId, of }: { readonly conversationId: ConversationId; readonly of: ToolCall }) {
  const calls = useHostShallow((mirror) => callsOfApp(mirror.topics[`conversation/${conversationId}`], of.id))
  if (calls.length === 0) return null
  return (
    <Disclosure summary={`${counted(calls.length, 'call')} of this app`} className="calls-of-app">
      {calls.map((call) => (
        <ToolCallCard
          key={call.id}
          conversationId={conversationId}
          call={call}
          usage={undefined}
          round={1}
          newServer={false}
          questionOpen={false}
          inGroup
        />
      ))}
    </Disclosure>
  )
}

/** A call under the closed line of a group: for screen readers only, without buttons. */
export const FoldedCall = memo(function FoldedCall({ call }: { readonly call: ToolCall }) {
  return (
    <CallBox call={call} look="call unseen">
      <CallLine call={call} state={stateOf(call, false)} newServer />
    </CallBox>
  )
})

function CallBox({ call, look, children }: { readonly call: ToolCall; readonly look: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" className={look} id={`call-${call.id}`} aria-label={`Tool call: ${call.tool}`}>
      {children}
    </div>
  )
}

/** The part of a result that is shown while its call is closed: an unanswered question, else the problem, else pictures and links. */
function ClosedResult({ call }: { readonly call: ToolCall }) {
  const failed = call.problem !== undefined || call.result?.isError
  if (!failed && !call.unanswered && !hasMedia(call.result)) return null
  return (
    <div className="call-body column">
      {call.unanswered ? (
        <Unanswered call={call} />
      ) : failed ? (
        <CallOutcome call={call} />
      ) : call.result ? (
        <ResultMedia result={call.result} from={call.serverId && { serverId: call.serverId, tool: call.tool }} />
      ) : null}
    </div>
  )
}

interface RunningProps {
  readonly conversationId: ConversationId
  readonly call: ToolCall
  readonly questionOpen: boolean
  /** It waits for the person. */
  readonly asked: boolean
}

/** The progress of a call that takes long. */
function Running({ conversationId, call, questionOpen, asked }: RunningProps) {
  const startedAt = call.startedAt ?? call.proposedAt
  const takesLong = useRef(false)
  const now = useNow(takesLong.current ? undefined : 250)
  takesLong.current ||= now - startedAt >= SHOWS_PROGRESS
  // A call that waits for the person makes no progress, unless its server reports some.
  const shown = asked ? call.progress !== undefined : takesLong.current
  if (!shown && !call.overdue && !call.cancelling && !call.task) return null
  return (
    <div className="call-body">
      <CallProgress
        id={call.id}
        tool={call.tool}
        startedAt={startedAt}
        progress={call.progress}
        overdue={call.overdue}
        stop={questionOpen ? null : <Stop conversationId={conversationId} call={call} />}
      />
    </div>
  )
}

function Stop({ conversationId, call }: Pick<RunningProps, 'conversationId' | 'call'>) {
  if (call.cancelling) return <span className="meta">The server was asked to stop and has not answered yet.</span>
  return (
    <Button size="small" onClick={() => void attempt(ask('toolCall.cancel', { id: conversationId, toolCallId: call.id }))}>
      Cancel this call
    </Button>
  )
}
