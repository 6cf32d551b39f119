import { GrantButton } from '../ui/GrantButton.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { type QuestionProps, useQuestion } from './frame/use-question.tsx'

/** The person has been where a server sent them; may the call that was refused be made once more? */
export function CallAgainDialog(props: QuestionProps<'call-again'>) {
  const { about, question } = props.interaction
  const { frame, held, refusal, grant } = useQuestion(props)
  return (
    <QuestionFrame
      {...frame}
      title="Run the tool again?"
      sentence={
        <>
          Run <VisibleText as="code" className="strong" text={question.tool} /> on{' '}
          <VisibleText as="strong" text={about.serverName} /> again, with the same arguments?
        </>
      }
      refusals={refusal('Decline', { decision: 'decline' })}
      choices={
        <GrantButton variant="allow" {...answeredBy('allow')} held={held} onGrant={(by) => grant(by, { decision: 'again' })}>
          Run again
        </GrantButton>
      }
    >
      <ul className="padded column from-server" aria-label="Visited addresses">
        {question.visited.map(({ host, message, completed }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same address may be there twice
          <li key={at}>
            <VisibleText as="strong" text={host} />: <VisibleText text={message} />
            <div className="meta">{completed ? 'The server says it is done.' : 'Not confirmed by the server yet.'}</div>
          </li>
        ))}
      </ul>
    </QuestionFrame>
  )
}
