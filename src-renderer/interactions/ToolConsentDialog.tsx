import type { OutsidePath } from '../../src-shared/contract/roots.ts'
import { ArgumentsTable } from '../content/ArgumentsTable.tsx'
import { NotChecked } from '../content/NotChecked.tsx'
import { LongText } from '../content/text/LongText.tsx'
import { DiffView } from '../content/viewers/DiffView.tsx'
import { routeHash } from '../state/route.ts'
import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { type QuestionProps, useQuestion } from './frame/use-question.ts'
import { ToolHintsList } from './ToolHintsList.tsx'

/** Longer definitions are cut before they are compared. */
const DIFF_CHARS = 60_000

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2).slice(0, DIFF_CHARS)
  } catch {
    return json.slice(0, DIFF_CHARS)
  }
}

/** May this tool run, with exactly these arguments? */
export function ToolConsentDialog(props: QuestionProps<'tool-consent'>) {
  const { about, question } = props.interaction
  const { frame, safe, busy, held, say } = useQuestion(props)
  const allow = (remember: 'once' | 'conversation' | 'always') => () => say({ decision: 'allow', remember })
  return (
    <QuestionFrame
      {...frame}
      title="Allow this tool call?"
      sentence={
        <>
          <VisibleText text={about.serverName} /> would run{' '}
          <code className="question-tool">
            <VisibleText text={question.tool} />
          </code>
          {question.title && question.title !== question.tool ? (
            <>
              {' '}
              (it calls it “
              <VisibleText text={question.title} />
              ”)
            </>
          ) : null}
          .
        </>
      }
      why={
        <p>
          No rule of yours covers this call. {question.changed ? 'A rule did, but the tool is not as it was then. ' : ''}
          What the server says of its tool never decides.
        </p>
      }
      refusals={
        <Button ref={safe} variant="primary" disabled={busy} onClick={() => say({ decision: 'deny' })}>
          Deny
        </Button>
      }
      choices={
        <>
          <Button variant="allow" disabled={held} onClick={allow('once')}>
            Allow once
          </Button>
          {about.conversationId === undefined ? null : (
            <Button variant="allow" disabled={held} onClick={allow('conversation')}>
              Allow in this conversation
            </Button>
          )}
          <Button variant="allow" disabled={held} onClick={allow('always')}>
            Always allow
          </Button>
        </>
      }
    >
      {question.changed ? (
        <div className="question-changed">
          <strong>This tool has changed since you made a rule for it.</strong>
          {question.changed.before === undefined ? (
            <p>How it was before is not known. This is what it is now:</p>
          ) : (
            <p>Before (−) and now (+):</p>
          )}
          <DiffView before={pretty(question.changed.before ?? question.changed.now)} now={pretty(question.changed.now)} />
        </div>
      ) : null}
      <div>
        <h3 className="question-label">Arguments</h3>
        <ArgumentsTable json={question.arguments} />
        <NotChecked why={question.unchecked} />
      </div>
      {question.outside && question.outside.length > 0 ? <OutsidePaths outside={question.outside} /> : null}
      {question.description ? (
        <details className="question-quote">
          <summary className="meta">How the server describes the tool</summary>
          <LongText content={{ text: question.description }} />
        </details>
      ) : null}
      <ToolHintsList hints={question.hints} />
      <p className="meta">
        A rule covers this tool as it is defined and launched now, with any arguments
        {question.hints.destructive ? ', even though it may change or delete things' : ''}: in this conversation, or in every one.
        Take rules back at any time in the settings, under{' '}
        <a href={routeHash({ section: 'settings', id: 'consent' })}>Consent rules</a>.
      </p>
    </QuestionFrame>
  )
}

/** Paths that a person may not expect: they lie in no folder that was shared with the server or belongs to the conversation. */
function OutsidePaths({ outside }: { readonly outside: readonly OutsidePath[] }) {
  return (
    <div className="question-changed">
      <strong>Outside the folders you chose:</strong>
      <ul>
        {outside.map(({ argument, path }) => (
          <li key={argument}>
            <code>
              <VisibleText text={path} />
            </code>{' '}
            in{' '}
            <code>
              <VisibleText text={argument} />
            </code>
          </li>
        ))}
      </ul>
    </div>
  )
}
