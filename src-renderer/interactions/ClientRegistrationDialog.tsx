import { useState } from 'react'
import { webAddress } from '../../src-shared/base/web-address.ts'
import { AddressWarnings } from '../ui/AddressView.tsx'
import { SecretField } from '../ui/fields/SecretField.tsx'
import { TextField } from '../ui/fields/TextField.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import type { Granting } from '../ui/grants/use-grant.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { type QuestionProps, useQuestion } from './frame/use-question.tsx'

/** An authorization server takes no new apps by itself: the person may have registered one there. */
export function ClientRegistrationDialog(props: QuestionProps<'client-registration'>) {
  const { about, question } = props.interaction
  const { frame, held, refusal, grant } = useQuestion(props)
  const [clientId, setClientId] = useState('')
  const [clientSecret, setClientSecret] = useState('')
  const register = (by: Granting) => grant(by, { decision: 'register', clientId, ...(clientSecret !== '' && { clientSecret }) })
  return (
    <QuestionFrame
      {...frame}
      title={`Which app signs in to ${visibleText(about.serverName)}?`}
      sentence={
        <>
          <VisibleText as="strong" text={question.host} /> accepts only registered apps. Enter your client ID.
        </>
      }
      why={
        <p>
          ID and secret are kept in the secret store for <VisibleText as="code" text={question.issuer} /> and sent to{' '}
          {question.tokenHost} only.
        </p>
      }
      refusals={refusal('Cancel', { decision: 'decline' })}
      choices={
        <GrantButton held={held || clientId.trim() === ''} onGrant={register}>
          Use this client
        </GrantButton>
      }
    >
      <AddressWarnings warnings={webAddress(question.issuer)?.warnings ?? []} />
      {question.former !== undefined && (
        <p>
          The client you entered is for <VisibleText as="code" text={question.former} /> and is not used here.
        </p>
      )}
      <div>
        <h3 className="question-label">Redirect URI to register</h3>
        <VisibleText as="code" text={question.redirectUri} />
      </div>
      <TextField label="Client ID" code required value={clientId} onChange={setClientId} />
      <SecretField label="Client secret" hint="If you were given one." value={clientSecret} onChange={setClientSecret} />
    </QuestionFrame>
  )
}
