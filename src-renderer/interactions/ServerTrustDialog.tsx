import { useState } from 'react'
import type { FolderSuggestion } from '../../src-shared/contract/projects.ts'
import { useFolderChoice } from '../forms/folders/use-folder-choice.tsx'
import { Button } from '../ui/Button.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { useDraft } from './frame/use-draft.ts'
import { type QuestionProps, useQuestion } from './frame/use-question.ts'
import { LaunchView } from './LaunchView.tsx'

const NONE: readonly FolderSuggestion[] = []

function readPaths(kept: unknown): readonly string[] {
  return Array.isArray(kept) ? kept.filter((path) => typeof path === 'string') : []
}

/** May this program run, or this address be contacted? */
export function ServerTrustDialog(props: QuestionProps<'server-trust'>) {
  const { about, question } = props.interaction
  const { frame, safe, busy, held, refuse, grant } = useQuestion(props)
  const { launch, changed = [], suggestions } = question
  const { draft: paths, change, problem: unkept } = useDraft(props.interaction, readPaths)
  const server = visibleText(about.serverName)
  const choice = useFolderChoice(`Choose a folder for ${server}`, suggestions ?? NONE, paths, change)
  const { folders } = choice
  const [open, setOpen] = useState(paths.length > 0)
  const local = launch.type === 'local'
  return (
    <QuestionFrame
      {...frame}
      problem={frame.problem ?? unkept}
      title={local ? 'Start this server?' : 'Connect to this server?'}
      sentence={
        local ? (
          <>
            Start{' '}
            <strong>
              <VisibleText text={about.serverName} />
            </strong>
            ? It runs with your full user permissions.
          </>
        ) : (
          <>
            Connect to{' '}
            <strong>
              <VisibleText text={about.serverName} />
            </strong>
            ? It receives the arguments of every call to its tools.
          </>
        )
      }
      why={
        <p>
          Only you can tell whether this is what you meant to {local ? 'start' : 'connect to'}. Your answer applies until anything
          above changes.
        </p>
      }
      refusals={
        <Button ref={safe} {...answeredBy('deny')} disabled={busy} onClick={() => refuse({ decision: 'deny' })}>
          Deny
        </Button>
      }
      choices={
        <GrantButton
          variant="allow"
          {...answeredBy('allow')}
          held={held}
          onGrant={(by) => grant(by, { decision: 'allow', ...(folders.length > 0 && { folders }) })}
        >
          Allow
        </GrantButton>
      }
    >
      {changed.length > 0 ? (
        <div className="question-changed">
          <strong>Changed since you allowed it:</strong>
          <ul>
            {changed.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </div>
      ) : null}
      <LaunchView launch={launch} />
      {suggestions ? (
        <details className="launch-folders" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Folders to share (optional)</summary>
          <div className="column-3">
            <p className="meta">It sees their paths and names (roots). A hint, not a sandbox.</p>
            {choice.fields}
          </div>
        </details>
      ) : null}
      {choice.dialog}
    </QuestionFrame>
  )
}
