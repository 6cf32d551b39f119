import { webAddress } from '../../src-shared/base/web-address.ts'
import type { AnswerTo } from '../../src-shared/contract/interactions.ts'
import { ServerWords } from '../content/text/ServerWords.tsx'
import { openInNewTab } from '../state/open-link.ts'
import { AddressView } from '../ui/AddressView.tsx'
import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { type QuestionProps, useQuestion } from './frame/use-question.ts'

/** A server wants the person to go to an address. Nothing is fetched before Open is pressed. */
export function ElicitationUrlDialog(props: QuestionProps<'elicitation-url'>) {
  const { about, question } = props.interaction
  const { frame, safe, busy, held, say } = useQuestion(props)
  const act = (action: AnswerTo<'elicitation-url'>['action']) => say({ action })
  const open = () => {
    if (question.opens === 'page') openInNewTab(question.url)
    act('accept')
  }
  const address = webAddress(question.url)
  return (
    <QuestionFrame
      {...frame}
      title={question.again ? 'Not done yet' : 'Open this address?'}
      onLeave={() => act('cancel')}
      onOutside={() => act('cancel')}
      leaveLabel="Close without an answer"
      sentence={
        <>
          <VisibleText text={about.serverName} /> {question.again ? 'still waits for what you do at' : 'asks you to open'}{' '}
          <strong>
            <VisibleText text={question.host} />
          </strong>
          {question.again ? '. Finish it there, then try again.' : ' in your browser.'}
        </>
      }
      why={
        <p>
          What you do there is between you and that site; the server only learns that you agreed. Check the host: it decides whom
          you talk to. Decline tells the server that you refuse; Cancel, Escape and × that you gave no answer.
        </p>
      }
      refusals={
        <>
          <Button ref={safe} {...answeredBy('deny')} disabled={busy} onClick={() => act('decline')}>
            Decline
          </Button>
          <Button disabled={busy} onClick={() => act('cancel')}>
            Cancel
          </Button>
          {question.again ? (
            <Button disabled={held} onClick={open}>
              Open again
            </Button>
          ) : null}
        </>
      }
      choices={
        <Button variant="allow" {...answeredBy('allow')} disabled={held} onClick={question.again ? () => act('again') : open}>
          {question.again ? 'Try again' : 'Open'}
        </Button>
      }
    >
      <ServerWords label="Server’s message" text={question.message} />
      <div>
        <h3 className="question-label">Full address</h3>
        {address ? <AddressView address={address} warnings={question.warnings} /> : null}
      </div>
    </QuestionFrame>
  )
}
