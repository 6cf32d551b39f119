import { useId } from 'react'
import type { ConsentCall } from '../../src-shared/contract/consent.ts'
import type { ToolCallId } from '../../src-shared/contract/ids.ts'
import { counted } from '../ui/amounts.ts'
import type { Granting } from '../ui/grants/use-grant.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { AllowButton } from './consent/AllowButton.tsx'
import { CallTicks } from './consent/CallTicks.tsx'
import { allowing, mayDestroy, reasonsOf, serversOf } from './consent/consent-calls.ts'
import { OneCall } from './consent/OneCall.tsx'
import { RuleOffers } from './consent/RuleOffers.tsx'
import { ServerAccount } from './consent/ServerAccount.tsx'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { readUnticked, useDraft } from './frame/use-draft.ts'
import { type QuestionProps, useQuestion } from './frame/use-question.tsx'
import './consent/consent.css'

/** May these calls of one round be made, with exactly these arguments? What is not ticked is denied. */
export function ToolConsentDialog(props: QuestionProps<'tool-consent'>) {
  const { about, question } = props.interaction
  const { calls, offers } = question
  const { frame, held, refusal, grant } = useQuestion(props)
  const { draft: unticked, change } = useDraft(props.interaction, readUnticked<ToolCallId>)
  const ticked = calls.filter(({ toolCallId }) => !unticked.includes(toolCallId))
  const [only] = calls.length === 1 ? calls : []
  const holds = held || (!only && ticked.length === 0)
  const grave = mayDestroy(ticked)
  const count = only ? undefined : `${ticked.length} of ${counted(calls.length, 'call')}`
  const countId = useId()
  const allow = (by: Granting, offer?: string) => {
    const answer = allowing(calls, only ? [] : unticked, offer)
    if (answer) grant(by, answer)
  }
  return (
    <QuestionFrame
      {...frame}
      title={only ? 'Allow this tool call?' : 'Allow these tool calls?'}
      servers={serversOf(calls)}
      causeLast
      sentence={<Headline calls={calls} />}
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
      after={only ? <ServerAccount call={only} /> : null}
    >
      {only ? (
        <OneCall call={only} conversationId={about.conversationId} />
      ) : (
        <CallTicks calls={calls} unticked={unticked} onChange={change} conversationId={about.conversationId} />
      )}
    </QuestionFrame>
  )
}

/** "Run list_directory on filesystem?" */
function Headline({ calls }: { readonly calls: readonly ConsentCall[] }) {
  const servers = serversOf(calls)
  const [only] = calls.length === 1 ? calls : []
  return (
    <>
      Run{' '}
      {only ? (
        <VisibleText as="code" className="question-tool" text={only.tool} />
      ) : (
        <strong>{counted(calls.length, 'call')}</strong>
      )}{' '}
      on{' '}
      {servers.map((name, at) => (
        <span key={name}>
          {at === 0 ? '' : at === servers.length - 1 ? ' and ' : ', '}
          <VisibleText as="strong" text={name} />
        </span>
      ))}
      ?
    </>
  )
}

function Why({ calls }: { readonly calls: readonly ConsentCall[] }) {
  return (
    <ul className="consent-why">
      {reasonsOf(calls).map(({ why, calls: some }) => (
        <li key={why}>
          <VisibleText text={why} />
          {some.length === 0 ? null : (
            <span className="meta">
              {' '}
              (
              <VisibleText
                text={some.map(({ tool, telling }) => (telling === undefined ? tool : `${tool} ${telling}`)).join(', ')}
              />
              )
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
