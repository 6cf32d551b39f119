import { useState } from 'react'
import { assertNever } from '../../../src-shared/base/json.ts'
import type { ServerSignIn, SignInClient, StoredCredential } from '../../../src-shared/contract/authorization.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { CopyButton } from '../../content/text/CopyButton.tsx'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

/** The state of the sign-in to a remote server, its actions, and stored credentials. */
export function SignInSection({ server }: { readonly server: ServerRecord }) {
  const { signIn, signsInAs, credentials = [] } = server
  if (!signIn && !signsInAs && credentials.length === 0) return null
  return (
    <section className="column" aria-label="Sign-in">
      <h2>Sign-in</h2>
      {signsInAs ? <OwnClient client={signsInAs} /> : null}
      {signIn ? <SignInState server={server} signIn={signIn} /> : null}
      {credentials.length > 0 ? <Credentials server={server} credentials={credentials} /> : null}
    </section>
  )
}

function OwnClient({ client }: { readonly client: SignInClient }) {
  const { clientId, proof, algorithm, issuer } = client
  return (
    <p>
      Signs in by itself as client <VisibleText as="strong" text={clientId} />
      {issuer === undefined ? null : (
        <>
          {' '}
          at <VisibleText text={URL.parse(issuer)?.host ?? issuer} />
        </>
      )}
      , by {proof === 'secret' ? 'secret' : `private key${algorithm ? ` (${algorithm})` : ''}`}.
    </p>
  )
}

function SignInState({ server, signIn }: { readonly server: ServerRecord; readonly signIn: ServerSignIn }) {
  const serverId = server.id
  switch (signIn.is) {
    case 'needed':
      return (
        <>
          <p role="status">{server.signsInAs ? 'Not signed in.' : NEEDED[signIn.reason]}</p>
          {signIn.problem ? <p className="ui-field-problem">{signIn.problem.what}</p> : null}
          <div className="actions">
            <Button variant="primary" onClick={() => void attempt(ask('server.authorize', { serverId }))}>
              {server.signsInAs ? 'Try again' : 'Sign in'}
            </Button>
          </div>
        </>
      )
    case 'asking':
      return (
        <>
          <p role="status">
            {signIn.host === undefined ? (
              'Finding where to sign in.'
            ) : (
              <>
                Waiting for you to allow sign-in at <VisibleText text={signIn.host} />.
              </>
            )}
          </p>
          <CancelButton server={server} />
        </>
      )
    case 'waiting':
      return <Waiting server={server} signIn={signIn} />
    case 'signed-in':
      return (
        <>
          <p role="status">
            Signed in at <VisibleText text={signIn.host} /> <RelativeTime at={signIn.since} />.
          </p>
          {signIn.scopes.length > 0 ? <Scopes scopes={signIn.scopes} /> : null}
          {server.signsInAs ? null : (
            <div className="actions">
              <Button onClick={() => void attempt(ask('server.forgetAuthorization', { serverId, everything: false }))}>
                Sign out
              </Button>
            </div>
          )}
        </>
      )
    default:
      return assertNever(signIn)
  }
}

const NEEDED = {
  first: 'This server requires sign-in.',
  expired: 'Your sign-in has expired.',
  'more-scopes': 'The last request needed more permissions.',
} as const

function Waiting(props: { readonly server: ServerRecord; readonly signIn: Extract<ServerSignIn, { is: 'waiting' }> }) {
  const { server, signIn } = props
  const [address, setAddress] = useState('')
  return (
    <>
      <p role="status">
        Waiting for sign-in at <VisibleText text={signIn.host} /> in your browser, <RelativeTime at={signIn.since} />.
      </p>
      {signIn.foreign ? <p className="ui-field-problem">An answer to another sign-in was ignored.</p> : null}
      <div className="actions">
        <CopyButton label="Copy link" text={signIn.url} />
        <CancelButton server={server} />
      </div>
      <form
        className="toolbar line"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(ask('server.pasteRedirect', { serverId: server.id, address })).then((taken) => taken && setAddress(''))
        }}
      >
        <TextField
          label="Redirect address"
          hint="If the browser does not return by itself."
          code
          value={address}
          onChange={setAddress}
        />
        <Button type="submit" disabled={address.trim() === ''}>
          Use this address
        </Button>
      </form>
    </>
  )
}

function CancelButton({ server }: { readonly server: ServerRecord }) {
  return (
    <Button size="small" onClick={() => void attempt(ask('server.cancelAuthorization', { serverId: server.id }))}>
      Cancel sign-in
    </Button>
  )
}

function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  return (
    <ul className="chips" aria-label="Permissions">
      {scopes.map((scope) => (
        <li className="chip" key={scope}>
          <VisibleText text={scope} />
        </li>
      ))}
    </ul>
  )
}

const CLIENTS = {
  configured: 'a configured client ID',
  'metadata-document': 'a client ID metadata document',
  dynamic: 'dynamic registration',
  typed: 'the client ID you entered',
} as const

function Credentials(props: { readonly server: ServerRecord; readonly credentials: readonly StoredCredential[] }) {
  const { server, credentials } = props
  return (
    <>
      <h3 className="meta">In the secret store</h3>
      <ul className="bullets" aria-label="Stored credentials">
        {credentials.map((credential) => (
          <li key={`${credential.issuer} ${credential.serverUrl}`}>
            <Credential credential={credential} />
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button
          size="small"
          onClick={() => void attempt(ask('server.forgetAuthorization', { serverId: server.id, everything: true }))}
        >
          {server.signsInAs ? 'Delete stored token' : 'Delete stored credentials'}
        </Button>
      </div>
    </>
  )
}

function Credential({ credential: { issuer, serverUrl, client, signedIn } }: { readonly credential: StoredCredential }) {
  return (
    <>
      From <VisibleText text={issuer} /> for <VisibleText text={serverUrl} />, by {CLIENTS[client]}:{' '}
      {signedIn ? (
        <>
          token issued <RelativeTime at={signedIn.at} />
          {signedIn.expiresAt === undefined ? null : (
            <>
              , expires <RelativeTime at={signedIn.expiresAt} />
            </>
          )}
          {signedIn.renews ? ', renewed automatically' : ''}
        </>
      ) : (
        'no token'
      )}
    </>
  )
}
