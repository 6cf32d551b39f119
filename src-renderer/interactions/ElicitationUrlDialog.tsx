import type { UrlWarning } from '../../src-shared/contract/interactions.ts'
import type { ElicitResult } from '../../src-shared/mcp/client-requests.ts'
import { ServerWords } from '../content/text/ServerWords.tsx'
import { openInNewTab } from '../state/open-link.ts'
import { Button } from '../ui/Button.tsx'
import { WarningIcon } from '../ui/icons.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { addressParts } from './address-parts.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { type QuestionProps, useQuestion } from './frame/use-question.ts'
import './elicitation.css'

const WARNINGS: Readonly<Record<UrlWarning, string>> = {
  punycode: 'Its host is not in plain letters. Letters of other alphabets can make it look like another one.',
  http: 'It is not encrypted (http): others on the way can read and change what you see and type there.',
  user: 'It holds a name or password before the host, a way to make a wrong host look right.',
  port: 'It uses an unusual port.',
  ip: 'Its host is a number, not a name.',
  local: 'It leads to this computer or your own network.',
}

/** A server wants the person to go to an address. Nothing is fetched before Open is pressed. */
export function ElicitationUrlDialog(props: QuestionProps<'elicitation-url'>) {
  const { about, question } = props.interaction
  const { frame, safe, busy, held, say } = useQuestion(props)
  const act = (action: ElicitResult['action']) => say({ action })
  const open = () => {
    if (question.opens === 'page') openInNewTab(question.url)
    act('accept')
  }
  const { before, host, after } = addressParts(question.url)
  return (
    <QuestionFrame
      {...frame}
      title="Open this address?"
      onLeave={() => act('cancel')}
      onOutside={() => act('cancel')}
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
      refusals={
        <>
          <Button ref={safe} variant="primary" disabled={busy} onClick={() => act('decline')}>
            Decline
          </Button>
          <Button disabled={busy} onClick={() => act('cancel')}>
            Cancel
          </Button>
        </>
      }
      choices={
        <Button variant="allow" disabled={held} onClick={open}>
          Open
        </Button>
      }
    >
      <ServerWords label="What the server says" text={question.message} />
      <div>
        <h3 className="question-label">The whole address</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long address scrolls and must be reachable by keyboard */}
        <section className="server-words from-server elicitation-address" aria-label="The whole address" dir="ltr" tabIndex={0}>
          <VisibleText text={before} />
          <mark className="elicitation-host">
            <VisibleText text={host} />
          </mark>
          <VisibleText text={after} />
        </section>
        {host.toLowerCase() === question.host ? null : (
          <p className="meta">
            A browser reads its host as{' '}
            <code>
              <VisibleText text={question.host} />
            </code>
            .
          </p>
        )}
      </div>
      {question.warnings.length > 0 ? (
        <ul className="elicitation-warnings" aria-label="Warnings">
          {question.warnings.map((warning) => (
            <li key={warning}>
              <WarningIcon /> <span>{WARNINGS[warning]}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </QuestionFrame>
  )
}
