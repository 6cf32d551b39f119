import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { type QuestionProps, useQuestion } from './frame/use-question.ts'
import { LaunchView } from './LaunchView.tsx'

/** May this program run, or this address be contacted? */
export function ServerTrustDialog(props: QuestionProps<'server-trust'>) {
  const { about, question } = props.interaction
  const { frame, safe, busy, held, say } = useQuestion(props)
  const { launch, changed = [] } = question
  const local = launch.type === 'local'
  return (
    <QuestionFrame
      {...frame}
      title="Start this server?"
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
      refusals={
        <Button ref={safe} variant="primary" disabled={busy} onClick={() => say({ decision: 'deny' })}>
          Deny
        </Button>
      }
      choices={
        <Button variant="allow" disabled={held} onClick={() => say({ decision: 'allow' })}>
          Allow
        </Button>
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
