import { useRef } from 'react'
import type { AnswerTo, InteractionOf } from '../../src-shared/contract/interactions.ts'
import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { useAnswer } from './frame/use-answer.ts'
import { useArmed } from './frame/use-armed.ts'
import { LaunchView } from './LaunchView.tsx'

export interface ServerTrustDialogProps {
  readonly interaction: InteractionOf<'server-trust'>
  readonly modal: boolean
}

/** May this program run, or this address be contacted? */
export function ServerTrustDialog({ interaction, modal }: ServerTrustDialogProps) {
  const { id, about, question } = interaction
  const { launch, changed = [] } = question
  const safe = useRef<HTMLButtonElement>(null)
  const armed = useArmed()
  const { busy, problem, give } = useAnswer()
  const say = (decision: AnswerTo<'server-trust'>['decision']) => give({ id, kind: 'server-trust', answer: { decision } })
  const local = launch.type === 'local'
  return (
    <QuestionFrame
      interaction={interaction}
      title="Start this server?"
      modal={modal}
      safe={safe}
      problem={problem}
      sentence={
        local ? (
          <>
            <VisibleText text={about.serverName} /> is a program. It would run on this computer with everything that you may do
            here.
          </>
        ) : (
          <>
            <VisibleText text={about.serverName} /> is a remote server. Parley would contact it and send it what its tools are
            called with.
          </>
        )
      }
      why={
        <p>
          {local ? 'Nobody but you' : 'Only you'} can tell whether this is what you meant to {local ? 'start' : 'connect to'}. The
          answer holds until anything of the above changes.
        </p>
      }
      choices={
        <>
          <Button ref={safe} variant="primary" disabled={busy} onClick={() => say('deny')}>
            Deny
          </Button>
          <span className="question-gap" />
          <Button variant="allow" disabled={!armed || busy} onClick={() => say('allow')}>
            Allow
          </Button>
        </>
      }
    >
      {changed.length > 0 ? (
        <div className="question-changed">
          <strong>It is not what you allowed before:</strong>
          <ul>
            {changed.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </div>
      ) : null}
      <LaunchView launch={launch} />
    </QuestionFrame>
  )
}
