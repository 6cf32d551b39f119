import { isObject } from '../../src-shared/base/json.ts'
import { rootsHint } from '../forms/folders/roots-hint.ts'
import { type ChosenFolder, readChosen, useFolderChoice } from '../forms/folders/use-folder-choice.tsx'
import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { Checkbox } from '../ui/fields/Checkbox.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { useDraft } from './frame/use-draft.ts'
import { type QuestionProps, useQuestion } from './frame/use-question.tsx'

interface RootsDraft {
  /** Ticked suggestions and folders that were added. */
  readonly chosen: readonly ChosenFolder[]
  readonly remember: boolean
}

function readRootsDraft(kept: unknown): RootsDraft {
  const { chosen, remember } = isObject(kept) ? kept : {}
  return { chosen: readChosen(chosen), remember: remember === true }
}

/** Which folders may a server know of? (ROOT-13) */
export function RootsDialog(props: QuestionProps<'roots-request'>) {
  const { about, question } = props.interaction
  const { frame, held, refusal, grant } = useQuestion(props)
  const options = useHost((mirror) => mirror.host.servers[about.serverId]?.options)
  const { suggestions } = question
  const { draft, change, problem: unkept } = useDraft(props.interaction, readRootsDraft)
  const { chosen, remember } = draft
  const server = visibleText(about.serverName)
  const choice = useFolderChoice(`Choose a folder for ${server}`, suggestions, chosen, (next) =>
    change({ ...draft, chosen: next }),
  )
  const { folders } = choice
  return (
    <QuestionFrame
      {...frame}
      title="Share folders?"
      problem={frame.problem ?? unkept}
      sentence={
        <>
          <VisibleText text={about.serverName} /> asks for folders (roots) to work in. It sees their paths and names.
        </>
      }
      why={
        <p>
          Roots tell a server where to work. You can change them under{' '}
          <a href={routeHash({ section: 'servers', id: about.serverId, tab: 'roots' })}>Servers, {server}, Roots</a>.
        </p>
      }
      refusals={refusal('Don’t share', { decision: 'decline', remember })}
      choices={
        <GrantButton
          variant="allow"
          {...answeredBy('allow')}
          held={held || folders.length === 0}
          onGrant={(by) => grant(by, { decision: 'share', folders, remember })}
        >
          Share
        </GrantButton>
      }
    >
      <p className="question-changed column-1">{rootsHint(options)}</p>
      {choice.fields}
      <Checkbox
        label="Remember this choice"
        hint="Until the way it starts changes."
        checked={remember}
        onChange={(on) => change({ ...draft, remember: on })}
      />
      {choice.dialog}
    </QuestionFrame>
  )
}
