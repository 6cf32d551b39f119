import { useId, useRef, useState } from 'react'
import type { ConsentCall, PowersKnown } from '../../src-shared/contract/consent.ts'
import { PowerBadges } from '../content/PowerBadges.tsx'
import { isVerified } from '../content/power-labels.ts'
import { ToolsToSay } from '../powers/ToolsUnmet.tsx'
import { routeHash } from '../state/route.ts'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import type { Granting } from '../ui/grants/use-grant.ts'
import { onDemand } from '../ui/on-demand.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { AllowButton } from './consent/AllowButton.tsx'
import { CalledTools } from './consent/CalledTools.tsx'
import { CallTicks } from './consent/CallTicks.tsx'
import {
  allowing,
  areGrave,
  type CallGroup,
  combinedPowers,
  groupsOf,
  serversOf,
  sharedReason,
  withSharedWarnings,
} from './consent/consent-calls.ts'
import { readConsentDraft } from './consent/consent-draft.ts'
import type { EditArgumentsProps } from './consent/EditArguments.tsx'
import { OneCall } from './consent/OneCall.tsx'
import { Reason } from './consent/Reason.tsx'
import { RuleOffers } from './consent/RuleOffers.tsx'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame, ServerBadge } from './frame/QuestionFrame.tsx'
import { skillSentence } from './frame/question-labels.ts'
import { useDraft } from './frame/use-draft.ts'
import { type QuestionProps, useQuestion } from './frame/use-question.tsx'
import './consent/consent.css'

const EditArguments = onDemand<EditArgumentsProps>(
  () => import('./consent/EditArguments.tsx').then((module) => module.EditArguments),
  () => <Skeleton label="Loading the form" />,
)

/** May these calls of one round be made, with exactly these arguments? What is not ticked is denied. */
export function ToolConsentDialog(props: QuestionProps<'tool-consent'>) {
  const { about, question } = props.interaction
  const { calls, offers } = question
  const { frame, held, refusal, say, grant } = useQuestion(props)
  const { draft, change, problem: unkept } = useDraft(props.interaction, readConsentDraft)
  const { unticked, typed } = draft
  const ticked = calls.filter(({ toolCallId }) => !unticked.includes(toolCallId))
  const [only] = calls.length === 1 ? calls : []
  const groups = groupsOf(calls)
  const servers = [...new Set(calls.flatMap((call) => (call.byApp || isVerified(call.known) ? [] : call.serverId)))]
  const [tool] = groups.length === 1 ? groups : []
  const [editing, setEditing] = useState(only?.rejected !== undefined || typed !== undefined)
  const changeButton = useRef<HTMLButtonElement>(null)
  const holds = held || editing || (!only && ticked.length === 0)
  const grave = areGrave(ticked)
  const count = only ? undefined : `${ticked.length} of ${counted(calls.length, 'call')}`
  const countId = useId()
  const allow = (by: Granting, offer?: string) => {
    const answer = allowing(calls, only ? [] : unticked, offer)
    if (answer) grant(by, answer)
  }
  return (
    <QuestionFrame
      {...frame}
      problem={frame.problem ?? unkept}
      title={only ? titleOf(only) : 'Allow these tool calls?'}
      speaker={tool ? <CalledHead group={tool} /> : serversOf(calls).map((name) => <ServerBadge key={name} name={name} />)}
      causeFolded
      sentence={<Reason calls={calls} conversationId={about.conversationId} />}
      why={<Why calls={calls} />}
      refusals={refusal('Deny', { decision: 'deny' })}
      choices={
        <>
          {count === undefined ? null : (
            <span className="consent-count meta" id={countId}>
              {count}
            </span>
          )}
          <AllowButton
            {...answeredBy('allow')}
            grave={grave}
            held={holds}
            aria-describedby={count && countId}
            onGrant={(by) => allow(by)}
          >
            Allow once
          </AllowButton>
        </>
      }
      further={<RuleOffers offers={offers} held={holds} grave={grave} some={ticked.length < calls.length} onAllow={allow} />}
      folds={<CalledTools groups={groups} />}
      act={
        editing ? null : (
          <>
            {servers.map((one) => (
              <ToolsToSay key={one} serverId={one} alone={servers.length === 1} />
            ))}
            {only?.editable ? (
              <Button ref={changeButton} size="small" variant="quiet" onClick={() => setEditing(true)}>
                Change arguments
              </Button>
            ) : null}
          </>
        )
      }
    >
      {only && editing ? (
        <EditArguments
          call={only}
          typed={typed}
          onType={(next) => change({ unticked, typed: next })}
          held={held}
          onUse={(args) => say({ decision: 'edit', call: only.toolCallId, arguments: args })}
          onCancel={() => {
            change({ unticked })
            setEditing(false)
            requestAnimationFrame(() => changeButton.current?.focus())
          }}
        />
      ) : only ? (
        <OneCall call={only} conversationId={about.conversationId} />
      ) : (
        <CallTicks
          calls={calls}
          unticked={unticked}
          onChange={(next) => change({ unticked: next })}
          conversationId={about.conversationId}
        />
      )}
    </QuestionFrame>
  )
}

/** Calls of views, files of skills, and the person's own undoing are asked about one by one. */
const titleOf = ({ byApp, undoes, skill, serverName }: ConsentCall) =>
  skill !== undefined
    ? skillSentence(skill)
    : byApp
      ? `The app of ${visibleText(serverName)} asks. Allow this tool call?`
      : undoes
        ? 'Undo this change?'
        : 'Allow this tool call?'

/** The server, the tool if one is called, and what it does, in one row. */
function CalledHead({ group: { first, calls } }: { readonly group: CallGroup }) {
  return (
    <>
      <ServerBadge name={first.serverName} />
      {first.skill === undefined ? <VisibleText as="code" className="strong" text={first.tool} /> : null}
      <PowerBadges {...combinedPowers(calls)} known={first.known} />
    </>
  )
}

/** All that the card does not say yet: the reason that a warning replaced, and where the powers are from. */
function Why({ calls }: { readonly calls: readonly ConsentCall[] }) {
  const warnings = calls.length === 1 ? calls[0]?.guards : withSharedWarnings(calls).warnings
  const unsaid = warnings?.length ? sharedReason(calls) : undefined
  return (
    <ul className="consent-why">
      {unsaid === undefined ? null : (
        <li>
          <VisibleText text={unsaid} />
        </li>
      )}
      {[...new Set(calls.map(({ known }) => known))].map((known) => (
        <li key={known}>{KNOWN_SENTENCES[known]}</li>
      ))}
      {[...new Map(calls.flatMap((call) => (isVerified(call.known) ? [] : [[call.serverId, call]]))).values()].map((call) => (
        <li key={call.serverId}>
          <a href={routeHash({ section: 'servers', id: call.serverId, tab: 'powers' })}>
            Review the tools of <VisibleText text={call.serverName} />
          </a>
        </li>
      ))}
      <li>
        A rule applies until the tool or its server changes.{' '}
        <a href={routeHash({ section: 'settings', id: 'consent' })}>Consent rules</a>
      </li>
    </ul>
  )
}

const KNOWN_SENTENCES: Readonly<Record<PowersKnown, string>> = {
  protocol: 'What the request does is defined by the protocol.',
  published: 'What the tool does is from the list of known servers.',
  'trusted-hints': 'What the tool does is from the server’s hints, which you trust.',
  accepted: 'What the tool does is guessed from its name, and you accepted that.',
  told: 'You said what the tool does.',
  'told-more': 'Parley assumes the worst about what you did not say.',
  named: 'What the tool does is guessed from its name.',
  unknown: 'Parley does not know this tool and assumes the worst.',
}
