import { useRef } from 'react'
import { webAddress } from '../../src-shared/base/web-address.ts'
import type { InteractionOf } from '../../src-shared/contract/interactions.ts'
import type { ElicitResult } from '../../src-shared/mcp/client-requests.ts'
import { AddressView } from '../ui/AddressView.tsx'
import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { ServerWords } from './frame/ServerWords.tsx'
import { useAnswer } from './frame/use-answer.ts'
import { useArmed } from './frame/use-armed.ts'
import { visit } from './frame/visit.ts'

export interface ElicitationUrlDialogProps {
  readonly interaction: InteractionOf<'elicitation-url'>
  readonly modal: boolean
}

/** A server wants the person to go to an address. Nothing is fetched before Open is pressed. */
export function ElicitationUrlDialog({ interaction, modal }: ElicitationUrlDialogProps) {
  const { id, about, question } = interaction
  const safe = useRef<HTMLButtonElement>(null)
  const armed = useArmed()
  const { busy, problem, give } = useAnswer()
  const say = (action: ElicitResult['action']) => give({ id, kind: 'elicitation-url', answer: { action } })
  const open = () => {
    if (question.opens === 'page') visit(question.url)
    say('accept')
  }
  const address = webAddress(question.url)
  return (
    <QuestionFrame
      interaction={interaction}
      title="Open this address?"
      modal={modal}
      safe={safe}
      problem={problem}
      onLeave={() => say('cancel')}
      onOutside={() => say('cancel')}
      leaveLabel="Close without an answer"
      sentence={
        <>
          <VisibleText text={about.serverName} /> asks you to go to{' '}
          <strong>
            <VisibleText text={question.host} />
          </strong>{' '}
          in your browser.
        </>
      }
      why={
        <p>
          What you do there is between you and that site; the server is only told that you agreed to go. Look at the host: it
          decides whom you would be talking to. Decline tells the server that you refuse; Cancel, Escape and × that you gave no
          answer.
        </p>
      }
      choices={
        <>
          <Button ref={safe} variant="primary" disabled={busy} onClick={() => say('decline')}>
            Decline
          </Button>
          <Button disabled={busy} onClick={() => say('cancel')}>
            Cancel
          </Button>
          <span className="question-gap" />
          <Button variant="allow" disabled={!armed || busy} onClick={open}>
            Open
          </Button>
        </>
      }
    >
      <ServerWords label="What the server says" text={question.message} />
      <div>
        <h3 className="question-label">The whole address</h3>
        {address ? <AddressView address={address} warnings={question.warnings} /> : null}
      </div>
    </QuestionFrame>
  )
}
