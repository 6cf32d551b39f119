import { useRef, useState } from 'react'
import { webAddress } from '../../src-shared/base/web-address.ts'
import type { InteractionOf } from '../../src-shared/contract/interactions.ts'
import { SecretField } from '../forms/SecretField.tsx'
import { AddressWarnings } from '../ui/AddressView.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/fields.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { useAnswer } from './frame/use-answer.ts'

export interface ClientRegistrationDialogProps {
  readonly interaction: InteractionOf<'client-registration'>
  readonly modal: boolean
}

/** An authorization server takes no new apps by itself: the person may have registered one there. */
export function ClientRegistrationDialog({ interaction, modal }: ClientRegistrationDialogProps) {
  const { id, about, question } = interaction
  const safe = useRef<HTMLButtonElement>(null)
  const { busy, problem, give } = useAnswer()
  const [clientId, setClientId] = useState('')
  const [clientSecret, setClientSecret] = useState('')
  const register = () =>
    give({
      id,
      kind: 'client-registration',
      answer: { decision: 'register', clientId, ...(clientSecret !== '' && { clientSecret }) },
    })
  return (
    <QuestionFrame
      interaction={interaction}
      title={`Which app signs in to ${visibleText(about.serverName)}?`}
      modal={modal}
      safe={safe}
      problem={problem}
      sentence={
        <>
          <strong>
            <VisibleText text={question.host} />
          </strong>{' '}
          lets in only apps that somebody registered there. Enter the client id of yours.
        </>
      }
      why={
        <p>
          The id and the secret are kept in the secret store, for{' '}
          <code>
            <VisibleText text={question.issuer} />
          </code>{' '}
          alone, and sent to {question.tokenHost}.
        </p>
      }
      choices={
        <>
          <Button
            ref={safe}
            variant="primary"
            disabled={busy}
            onClick={() => give({ id, kind: 'client-registration', answer: { decision: 'decline' } })}
          >
            Cancel
          </Button>
          <span className="question-gap" />
          <Button disabled={busy || clientId.trim() === ''} onClick={register}>
            Use this client
          </Button>
        </>
      }
    >
      <AddressWarnings warnings={webAddress(question.issuer)?.warnings ?? []} />
      <div>
        <h3 className="question-label">The address to come back to, as it has to be registered</h3>
        <code>
          <VisibleText text={question.redirectUri} />
        </code>
      </div>
      <TextField label="Client id" code required value={clientId} onChange={setClientId} />
      <SecretField
        label="Client secret"
        hint="Leave it empty when none was given."
        value={clientSecret}
        onChange={setClientSecret}
      />
    </QuestionFrame>
  )
}
