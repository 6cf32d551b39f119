import { useMemo } from 'react'
import { isObject } from '../../src-shared/base/json.ts'
import { type FolderChoice, ROOT_LIMIT } from '../../src-shared/contract/projects.ts'
import { FolderRows } from '../forms/FolderRows.tsx'
import { useFolderPicker } from '../forms/use-folder-picker.tsx'
import { routeHash } from '../state/route.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/fields/Checkbox.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { useDraft } from './frame/use-draft.ts'
import { type QuestionProps, useQuestion } from './frame/use-question.ts'

interface RootsDraft {
  /** Absolute paths: ticked suggestions and folders that were added. */
  readonly paths: readonly string[]
  readonly remember: boolean
}

function readRootsDraft(kept: unknown): RootsDraft {
  const { paths, remember } = isObject(kept) ? kept : {}
  return {
    paths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
    remember: remember === true,
  }
}

/** Which folders may a server know of? Nothing is chosen beforehand (ROOT-13, ROOT-19). */
export function RootsDialog(props: QuestionProps<'roots-request'>) {
  const { about, question } = props.interaction
  const { frame, safe, busy, held, say } = useQuestion(props)
  const { suggestions } = question
  const { draft, change, problem: unkept } = useDraft(props.interaction, readRootsDraft)
  const { paths, remember } = draft
  const server = visibleText(about.serverName)
  const tick = (path: string, on: boolean) => {
    const others = paths.filter((one) => one !== path)
    change({ ...draft, paths: on ? [...others, path] : others })
  }
  const picker = useFolderPicker(`Choose a folder for ${server}`, (path) => tick(path, true))
  const suggested = useMemo(() => new Set(suggestions.map(({ path }) => path)), [suggestions])
  const folders = useMemo(
    () => paths.map((path): FolderChoice => namedAs(path, suggestions.find((one) => one.path === path)?.name)),
    [paths, suggestions],
  )
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
      refusals={
        <Button ref={safe} {...answeredBy('deny')} disabled={busy} onClick={() => say({ decision: 'decline', remember })}>
          Share none
        </Button>
      }
      choices={
        <Button
          variant="allow"
          {...answeredBy('allow')}
          disabled={held || folders.length === 0}
          onClick={() => say({ decision: 'share', folders, remember })}
        >
          Share
        </Button>
      }
    >
      <p className="question-changed">Roots are a hint, not a sandbox: a local program can still reach everything you can.</p>
      {suggestions.length > 0 ? (
        <fieldset className="ui-choices">
          <legend className="ui-field-label">Suggestions</legend>
          {suggestions.map(({ path, why }) => (
            <Checkbox
              key={path}
              label={
                <code>
                  <VisibleText text={path} />
                </code>
              }
              hint={why}
              checked={paths.includes(path)}
              onChange={(on) => tick(path, on)}
            />
          ))}
        </fieldset>
      ) : null}
      <div className="roots-added">
        <FolderRows
          label="Added folders"
          folders={folders.filter(({ path }) => !suggested.has(path))}
          onRemove={(path) => tick(path, false)}
        />
        <Button disabled={paths.length >= ROOT_LIMIT} onClick={picker.open}>
          Add a folder …
        </Button>
      </div>
      <Checkbox
        label="Remember this choice"
        hint="Until the server’s launch changes."
        checked={remember}
        onChange={(on) => change({ ...draft, remember: on })}
      />
      {picker.dialog}
    </QuestionFrame>
  )
}

function namedAs(path: string, name: string | undefined): FolderChoice {
  return name === undefined ? { path } : { path, name }
}
