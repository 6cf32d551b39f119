import { useRef } from 'react'
import type { AnswerTo, InteractionOf } from '../../src-shared/contract/interactions.ts'
import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { useAnswer } from './frame/use-answer.ts'
import { useArmed } from './frame/use-armed.ts'

export interface CallAgainDialogProps {
  readonly interaction: InteractionOf<'call-again'>
  readonly modal: boolean
}

/** The person has been where a server sent them; may the call that was refused be made once more? */
export function CallAgainDialog({ interaction, modal }: CallAgainDialogProps) {
  const { id, about, question } = interaction
  const safe = useRef<HTMLButtonElement>(null)
  const armed = useArmed()
  const { busy, problem, give } = useAnswer()
  const say = (decision: AnswerTo<'call-again'>['decision']) => () => give({ id, kind: 'call-again', answer: { decision } })
  return (
    <QuestionFrame
      interaction={interaction}
      title="Call the tool again?"
      modal={modal}
      safe={safe}
      problem={problem}
      sentence={
        <>
          <VisibleText text={about.serverName} /> did not run{' '}
          <code className="question-tool">
            <VisibleText text={question.tool} />
          </code>{' '}
          until you had been to the addresses below. It would be called once more, with the same arguments.
        </>
      }
      choices={
        <>
          <Button ref={safe} variant="primary" disabled={busy} onClick={say('decline')}>
            Decline
          </Button>
          <span className="question-gap" />
          <Button variant="allow" disabled={!armed || busy} onClick={say('again')}>
            Call again
          </Button>
        </>
      }
    >
      <ul className="question-visits" aria-label="Where you were sent">
        {question.visited.map(({ host, message, completed }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same address may be there twice
          <li key={at}>
            <strong>
              <VisibleText text={host} />
            </strong>
            : <VisibleText text={message} />
            <div className="meta">
              {completed ? 'The server says that it is done.' : 'The server has not said yet that it is done.'}
            </div>
          </li>
        ))}
      </ul>
    </QuestionFrame>
  )
}
