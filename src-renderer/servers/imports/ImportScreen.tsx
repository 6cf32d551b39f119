import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { hostOf } from '../../../src-shared/base/hosts.ts'
import { type FoundConfig, type ImportReview, type ImportSource, OTHER_HOSTS } from '../../../src-shared/contract/imports.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useFolderPicker } from '../../forms/folders/use-folder-picker.tsx'
import { ask } from '../../state/ask.ts'
import { failureText } from '../../state/attempt.ts'
import { importFile } from '../../state/import-file.ts'
import { FIND_IN_REGISTRY } from '../../state/route.ts'
import { navigate, openImport, showFailure, showNextImport, useView } from '../../state/view-store.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { BackIcon } from '../../ui/icons.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { ScreenTitle } from '../../ui/ScreenTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { DropConfig } from './DropConfig.tsx'
import { ReviewForm } from './ReviewForm.tsx'
import '../labels/servers.css'
import './imports.css'
import { useFileInput } from '../../ui/fields/use-file-input.tsx'

type ReviewState =
  | { readonly is: 'looking' }
  | { readonly is: 'nothing'; readonly found: readonly FoundConfig[] }
  | { readonly is: 'failed'; readonly why: string }
  | { readonly is: 'review'; readonly review: ImportReview }

const LOOKING: ReviewState = { is: 'looking' }

const RegistryScreen = onDemand(
  () => import('./RegistryScreen.tsx').then((module) => module.RegistryScreen),
  () => <Skeleton label="Loading" lines={6} />,
)

/** Finds servers in a registry, or reviews those of other apps, of a file or of a text. */
export function ImportScreen() {
  const searching = useView(({ route }) => route.id === FIND_IN_REGISTRY.id)
  return searching ? <RegistryScreen /> : <Review />
}

function Review() {
  const from = useView((view) => view.importing)
  const [answer, setAnswer] = useState<{ readonly of: ImportSource | undefined; readonly state: ReviewState }>()
  const state = answer?.of === from ? (answer?.state ?? LOOKING) : LOOKING
  const [round, setRound] = useState(0)
  const again = useCallback(() => setRound((count) => count + 1), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when asked to
  useEffect(() => {
    const giveUp = new AbortController()
    setAnswer(undefined)
    const show = (now: ReviewState) => giveUp.signal.aborted || setAnswer({ of: from, state: now })
    look(from, giveUp.signal).then(show, (error) => show({ is: 'failed', why: failureText(error) }))
    return () => giveUp.abort()
  }, [from, round])
  const installs = from !== undefined && ('bundle' in from || 'registry' in from)
  // Without a review on screen nothing is lost by going on.
  const nothing = state.is === 'nothing' || state.is === 'failed'
  const waiting = useView((view) => view.importsWaiting.length)
  useEffect(() => {
    if (!nothing || waiting === 0) return
    if (state.is === 'failed') showFailure(`This cannot be imported: ${state.why}`)
    showNextImport()
  }, [nothing, waiting, state])
  return (
    <div className="screen column-4 import-screen">
      <header className="screen-head actions">
        <IconButton
          label="Back to the list"
          icon={<BackIcon />}
          onClick={() => navigate(from && 'registry' in from ? FIND_IN_REGISTRY : { section: 'servers' })}
        />
        <div className="screen-head-text">
          <ScreenTitle of={state}>{installs ? 'Install a server' : 'Import servers'}</ScreenTitle>
          <p className="soft">{origin(from)} Nothing starts before you allow it.</p>
        </div>
        {nothing ? null : <Sources elsewhere={from !== undefined} />}
      </header>
      <Waiting count={waiting} />
      <Content state={state} installs={installs} onAgain={again} />
      <DropConfig />
    </div>
  )
}

function origin(from: ImportSource | undefined): string {
  if (!from) return 'From other apps on this computer.'
  if ('registry' in from) return `From ${hostOf(from.registry)}.`
  return 'name' in from && from.name ? `From ${visibleText(from.name)}.` : 'From your configuration.'
}

interface ContentProps {
  readonly state: ReviewState
  /** One published server, not a configuration. */
  readonly installs: boolean
  readonly onAgain: () => void
}

async function look(from: ImportSource | undefined, signal: AbortSignal): Promise<ReviewState> {
  if (from) return { is: 'review', review: await ask('import.review', { from }, signal) }
  const { found } = await ask('import.look', {}, signal)
  if (!found.some(({ servers }) => servers > 0)) return { is: 'nothing', found }
  // Unreadable configurations are reviewed, too: the review says why.
  const paths = found.map(({ path }) => path)
  return { is: 'review', review: await ask('import.review', { from: { found: paths } }, signal) }
}

function Content({ state, installs, onAgain }: ContentProps): ReactNode {
  switch (state.is) {
    case 'looking':
      return <Skeleton label={installs ? 'Reading' : 'Looking for servers'} lines={6} />
    case 'failed':
      return (
        <EmptyState title={installs ? 'This cannot be installed' : 'This cannot be imported'} actions={<Sources elsewhere />}>
          <p role="alert">
            <VisibleText text={state.why} />
          </p>
        </EmptyState>
      )
    case 'nothing':
      return (
        <EmptyState title="No other app’s servers were found" actions={<Sources elsewhere={false} />}>
          <p>Paste a configuration or choose a file.</p>
          {state.found.flatMap(({ host, path, problem }) =>
            problem === undefined
              ? []
              : [
                  <p key={path}>
                    {`${OTHER_HOSTS[host]}: `}
                    <VisibleText text={problem} />
                  </p>,
                ],
          )}
        </EmptyState>
      )
    case 'review':
      return <ReviewForm key={state.review.id} review={state.review} onAgain={onAgain} />
  }
}

/** Other sources to import from. */
function Sources({ elsewhere }: { readonly elsewhere: boolean }) {
  const [pasting, setPasting] = useState(false)
  const file = useFileInput({ label: 'Configuration or bundle', onFiles: ([chosen]) => void importFile(chosen, openImport) })
  const folder = useFolderPicker('Choose a project folder', (path) => openImport({ folder: path }))
  return (
    <div className="actions">
      {elsewhere ? <Button onClick={() => openImport()}>Other apps</Button> : null}
      <Button onClick={() => setPasting(true)}>Paste …</Button>
      <Button onClick={file.choose}>File …</Button>
      <Button onClick={folder.open}>Project folder …</Button>
      {file.input}
      {folder.dialog}
      {pasting ? <PasteDialog onClose={() => setPasting(false)} /> : null}
    </div>
  )
}

function PasteDialog({ onClose }: { readonly onClose: () => void }) {
  const before = useView((view) => view.importing)
  // Text that could not be read stays, so that the person can correct it.
  const [text, setText] = useState(before && 'text' in before ? before.text : '')
  const [judged, setJudged] = useState(false)
  const empty = text.trim() === ''
  return (
    <FormDialog
      title="Paste a configuration"
      verb="Review"
      onClose={onClose}
      onSubmit={() => {
        setJudged(true)
        return empty ? undefined : Promise.resolve().then(() => openImport({ text }))
      }}
    >
      <TextArea
        label="Configuration"
        hint="From any app: JSON, TOML or YAML. Or a server.json."
        rows={12}
        code
        value={text}
        onChange={setText}
        problem={judged && empty ? 'Required' : undefined}
      />
    </FormDialog>
  )
}

/** The number of configurations that arrived during this review. */
function Waiting({ count }: { readonly count: number }) {
  return (
    <div className="actions" role="status">
      {count === 0 ? null : (
        <>
          <span className="meta">{`${count} more waiting`}</span>
          <Button size="small" variant="quiet" onClick={showNextImport}>
            Skip to the next
          </Button>
        </>
      )}
    </div>
  )
}
