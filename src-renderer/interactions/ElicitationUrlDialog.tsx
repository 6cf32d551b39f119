import { webAddress } from '../../src-shared/base/web-address.ts'
import { ServerText } from '../content/text/ServerText.tsx'
import { openInNewTab } from '../state/open-link.ts'
import { AddressView } from '../ui/AddressView.tsx'
import { Button } from '../ui/Button.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import type { Granting } from '../ui/grants/use-grant.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { type QuestionProps, useQuestion } from './frame/use-question.tsx'

/** A server wants the person to go to an address. Nothing is fetched before Open is pressed. */
export function ElicitationUrlDialog(props: QuestionProps<'elicitation-url'>) {
  const { about, question } = props.interaction
  const { frame, busy, held, refuse, refusal, grant } = useQuestion(props)
  const open = (by: Granting) => {
    if (question.opens === 'page') openInNewTab(question.url)
    grant(by, { action: 'accept' })
  }
  const address = webAddress(question.url)
  return (
    <QuestionFrame
      {...frame}
      title={question.again ? 'Not done yet' : 'Open this address?'}
      onLeave={() => refuse({ action: 'cancel' })}
      onOutside={() => refuse({ action: 'cancel' })}
      leaveLabel="Close without an answer"
      sentence={
        <>
          <VisibleText text={about.serverName} /> {question.again ? 'is still waiting for you at' : 'asks you to open'}{' '}
          <VisibleText as="strong" text={question.host} />
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
          {refusal('Decline', { action: 'decline' })}
          <Button disabled={busy} onClick={() => refuse({ action: 'cancel' })}>
            Cancel
          </Button>
          {question.again ? (
            <GrantButton held={held} onGrant={open}>
              Open again
            </GrantButton>
          ) : null}
        </>
      }
      choices={
        <GrantButton
          variant="allow"
          {...answeredBy('allow')}
          held={held}
          onGrant={question.again ? (by) => grant(by, { action: 'again' }) : open}
        >
          {question.again ? 'Try again' : 'Open'}
        </GrantButton>
      }
    >
      <ServerText label="Server’s message" text={question.message} />
      <div>
        <h3 className="question-label">Full address</h3>
        {address ? <AddressView address={address} warnings={question.warnings} /> : null}
      </div>
    </QuestionFrame>
  )
}
