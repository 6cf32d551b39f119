import { useMemo, useRef } from 'react'
import { isObject } from '../../src-shared/base/json.ts'
import type { InteractionOf } from '../../src-shared/contract/interactions.ts'
import { type FolderChoice, ROOT_LIMIT } from '../../src-shared/contract/roots.ts'
import { FolderPicker } from '../forms/FolderPicker.tsx'
import { FolderRows } from '../forms/FolderRows.tsx'
import { useFolderPicker } from '../forms/use-folder-picker.ts'
import { folderPowers } from '../state/actions.ts'
import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { useAnswer } from './frame/use-answer.ts'
import { useArmed } from './frame/use-armed.ts'
import { useDraft } from './frame/use-draft.ts'

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

export interface RootsDialogProps {
  readonly interaction: InteractionOf<'roots-request'>
  readonly modal: boolean
}

/** Which folders may a server know of? Nothing is chosen beforehand (ROOT-13, ROOT-19). */
export function RootsDialog({ interaction, modal }: RootsDialogProps) {
  const { id, about, question } = interaction
  const { suggestions } = question
  const safe = useRef<HTMLButtonElement>(null)
  const armed = useArmed()
  const native = useHost((mirror) => mirror.host.shell === 'electron')
  const { busy, problem, give } = useAnswer()
  const { draft, change, problem: unkept } = useDraft(interaction, readRootsDraft)
  const { paths, remember } = draft
  const server = visibleText(about.serverName)
  const tick = (path: string, on: boolean) => {
    const others = paths.filter((one) => one !== path)
    change({ ...draft, paths: on ? [...others, path] : others })
  }
  const picker = useFolderPicker({ ...folderPowers, native }, `Choose a folder for ${server}`, (path) => tick(path, true))
  const suggested = useMemo(() => new Set(suggestions.map(({ path }) => path)), [suggestions])
  const folders = useMemo(
    () => paths.map((path): FolderChoice => namedAs(path, suggestions.find((one) => one.path === path)?.name)),
    [paths, suggestions],
  )
  const say = (shared: boolean) =>
    give({
      id,
      kind: 'roots-request',
      answer: shared ? { decision: 'share', folders, remember } : { decision: 'decline', remember },
    })
  return (
    <QuestionFrame
      interaction={interaction}
      title="Share folders?"
      modal={modal}
      safe={safe}
      problem={problem ?? unkept}
      sentence={
        <>
          <VisibleText text={about.serverName} /> asks which folders it should work in. It would be told their paths and names.
        </>
      }
      why={
        <p>
          Servers can ask for folders (roots) to know where you want them to work. What you share is listed, and taken back, under{' '}
          <a href={routeHash({ section: 'servers', id: about.serverId, tab: 'roots' })}>Servers, {server}, Roots</a>.
        </p>
      }
      choices={
        <>
          <Button ref={safe} variant="primary" disabled={busy} onClick={() => say(false)}>
            Share none
          </Button>
          <span className="question-gap" />
          <Button variant="allow" disabled={!armed || busy || folders.length === 0} onClick={() => say(true)}>
            Share
          </Button>
        </>
      }
    >
      <p className="question-changed">
        Folders guide a server; they are no sandbox. A program on this computer can still reach whatever you can.
      </p>
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
          label="Folders that you added"
          folders={folders.filter(({ path }) => !suggested.has(path))}
          onRemove={(path) => tick(path, false)}
        />
        <Button disabled={paths.length >= ROOT_LIMIT} onClick={picker.open}>
          Add a folder …
        </Button>
      </div>
      <Checkbox
        label="Remember this choice"
        hint="Until this server is started in another way. Otherwise you are asked again."
        checked={remember}
        onChange={(on) => change({ ...draft, remember: on })}
      />
      {picker.isOpen ? <FolderPicker list={folderPowers.list} onChoose={picker.choose} onClose={picker.close} /> : null}
    </QuestionFrame>
  )
}

function namedAs(path: string, name: string | undefined): FolderChoice {
  return name === undefined ? { path } : { path, name }
}
