import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { answeredBy } from './frame/answer-keys.ts'
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
      title={local ? 'Start this server?' : 'Connect to this server?'}
      sentence={
        local ? (
          <>
            Start{' '}
            <strong>
              <VisibleText text={about.serverName} />
            </strong>
            ? It runs on this computer with all your rights.
          </>
        ) : (
          <>
            Connect to{' '}
            <strong>
              <VisibleText text={about.serverName} />
            </strong>
            ? It receives the arguments of every call to its tools.
          </>
        )
      }
      why={
        <p>
          Only you can tell whether this is what you meant to {local ? 'start' : 'connect to'}. Your answer applies until anything
          above changes.
        </p>
      }
      refusals={
        <Button ref={safe} {...answeredBy('deny')} disabled={busy} onClick={() => say({ decision: 'deny' })}>
          Deny
        </Button>
      }
      choices={
        <Button variant="allow" {...answeredBy('allow')} disabled={held} onClick={() => say({ decision: 'allow' })}>
          Allow
        </Button>
      }
    >
      {changed.length > 0 ? (
        <div className="question-changed">
          <strong>Changed since you allowed it:</strong>
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
