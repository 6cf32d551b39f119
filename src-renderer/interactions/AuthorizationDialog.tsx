import { useState } from 'react'
import { webAddress } from '../../src-shared/base/web-address.ts'
import type { AuthorizationQuestion } from '../../src-shared/contract/authorization.ts'
import { CopyButton } from '../content/text/CopyButton.tsx'
import { openInNewTab } from '../state/open-link.ts'
import { AddressWarnings } from '../ui/AddressView.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { TextField } from '../ui/fields/TextField.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import type { Granting } from '../ui/grants/use-grant.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { type QuestionProps, useQuestion } from './frame/use-question.tsx'

/** May the browser be sent to where one signs in; and, once it was, what to do when it does not come back. */
export function AuthorizationDialog(props: QuestionProps<'authorization'>) {
  const { about, question } = props.interaction
  const { frame, held, refusal, grant } = useQuestion(props)
  const go = (by: Granting) => {
    if (question.opens === 'page') openInNewTab(question.url)
    grant(by, { decision: 'continue' })
  }
  return (
    <QuestionFrame
      {...frame}
      title={`Sign in to ${visibleText(about.serverName)}?`}
      sentence={<Sentence question={question} name={about.serverName} />}
      why={
        <p>
          You sign in at {question.host} in your browser; Parley never sees your password. Its token is kept in the secret store,
          sent to this server only, and deleted when you sign out.
        </p>
      }
      refusals={
        <>
          {refusal('Cancel', { decision: 'cancel' })}
          <CopyButton size="normal" label="Copy link" text={question.url} />
        </>
      }
      choices={
        question.step === 'ask' ? (
          <GrantButton variant="allow" {...answeredBy('allow')} held={held} onGrant={go}>
            Continue
          </GrantButton>
        ) : null
      }
    >
      <AddressWarnings warnings={webAddress(question.url)?.warnings ?? []} />
      <Receivers question={question} />
      <Permissions question={question} />
      <PasteAddress question={question} held={held} onPaste={(by, address) => grant(by, { decision: 'paste', address })} />
    </QuestionFrame>
  )
}

function Sentence({ question, name }: { readonly question: AuthorizationQuestion; readonly name: string }) {
  const server = <VisibleText text={name} />
  const host = <VisibleText as="strong" text={question.host} />
  if (question.step === 'waiting') return <>Waiting for you to sign in at {host} in your browser.</>
  switch (question.reason) {
    case 'first':
      return (
        <>
          {server} requires sign-in at {host}.
        </>
      )
    case 'expired':
      return (
        <>
          Your sign-in to {server} expired. Sign in again at {host}.
        </>
      )
    case 'more-scopes':
      return (
        <>
          {server} needs more permissions. Grant them at {host}.
        </>
      )
  }
}

/** Hosts other than that of the page that take part in the sign-in. */
function Receivers({ question: { host, issuer, tokenHost } }: { readonly question: AuthorizationQuestion }) {
  return (
    <>
      {tokenHost === host ? null : (
        <p>
          Tokens come from <VisibleText as="strong" text={tokenHost} />.
        </p>
      )}
      {issuer === host ? null : (
        <p className="meta">
          Issuer: <VisibleText text={issuer} />
        </p>
      )}
    </>
  )
}

function Permissions({ question: { scopes } }: { readonly question: AuthorizationQuestion }) {
  return (
    <>
      {scopes.length > 0 ? (
        <div>
          <h3 className="question-label">Requested permissions</h3>
          <ul className="bullets">
            {scopes.map((scope) => (
              <li key={scope}>
                <VisibleText as="code" text={scope} />
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <p className="meta">Permissions are chosen there.</p>
      )}
    </>
  )
}

/** For a browser on another computer: it cannot come back by itself. */
function PasteAddress(props: {
  readonly question: AuthorizationQuestion
  readonly held: boolean
  readonly onPaste: (by: Granting, address: string) => void
}) {
  const [address, setAddress] = useState('')
  const { question, held, onPaste } = props
  return (
    <Disclosure summary="Browser did not return?" open={question.step === 'waiting'}>
      <form className="question-paste" onSubmit={(event) => event.preventDefault()}>
        <TextField
          label="Address"
          code
          value={address}
          onChange={setAddress}
          hint={`Copy it from the address bar after sign-in, even if the page did not load. It begins with ${question.redirectUri}`}
        />
        <GrantButton type="submit" held={held || address.trim() === ''} onGrant={(by) => onPaste(by, address)}>
          Use this address
        </GrantButton>
      </form>
    </Disclosure>
  )
}
