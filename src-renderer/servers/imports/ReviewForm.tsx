import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ImportInput, ImportReview } from '../../../src-shared/contract/imports.ts'
import { useFolderPicker } from '../../forms/folders/use-folder-picker.tsx'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { useAction } from '../../state/use-action.ts'
import { announce, navigate, offerUndo, openImport, showFailure, showNextImport } from '../../state/view-store.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { GrantButton } from '../../ui/GrantButton.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { askedAt, checkImport, importDraftOf, type Origin, originsOf, withTicks } from './import-draft.ts'
import { ReviewedRow, type ReviewedRowProps } from './ReviewedRow.tsx'

interface ReviewFormProps {
  readonly review: ImportReview
  readonly onAgain: () => void
}

/** The servers of a review by origin, with checkboxes and the button that adds them. */
export function ReviewForm({ review, onAgain }: ReviewFormProps) {
  const known = useHost((mirror) => mirror.host.servers)
  const [draft, setDraft] = useState(() => importDraftOf(review))
  const [judged, setJudged] = useState(false)
  const [mistakes, setMistakes] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const { busy, problem, run } = useAction()
  const live = useHost((mirror) => mirror.link === 'live')
  const origins = useMemo(() => originsOf(review), [review])
  const check = useMemo(
    () =>
      checkImport(
        review,
        draft,
        Object.values(known).map(({ name }) => name),
      ),
    [review, draft, known],
  )
  useEffect(() => {
    if (mistakes > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [mistakes])
  const asked = useMemo(() => askedAt(review, draft), [review, draft])
  const picking = useRef<ImportInput>(undefined)
  const picked = (path: string) => {
    const input = picking.current
    if (input) setDraft((now) => ({ ...now, inputs: { ...now.inputs, [input.id]: withPath(input, now.inputs[input.id], path) } }))
  }
  const folder = useFolderPicker('Choose a folder', picked)
  const file = useFolderPicker('Choose a file', picked, undefined, 'file')
  const open = { folder: folder.open, file: file.open }
  const openPicker = useRef(open)
  useEffect(() => {
    openPicker.current = open
  })
  // The same function at each render, so that unchanged rows are not drawn again.
  const onPick = useCallback((input: ImportInput) => {
    picking.current = input
    openPicker.current[input.kind === 'file' ? 'file' : 'folder']()
  }, [])
  const count = check.choices.length
  const isUpdate = check.choices.some(({ update }) => update)
  const submit = () => {
    setJudged(true)
    if (busy) return
    if (check.names.size > 0 || check.values.size > 0) return setMistakes((times) => times + 1)
    void run(async () => {
      const { serverIds } = await ask('import.add', { review: review.id, servers: check.choices })
      const text = `${isUpdate ? 'Updated' : 'Added'} ${counted(serverIds.length, 'server')}`
      announce(text)
      if (!isUpdate) offerUndo({ text, undo: () => void takeBack(serverIds) })
      leave()
    })
  }
  return (
    <>
      <form ref={form} className="import-form column-5" noValidate onSubmit={(event) => event.preventDefault()}>
        {review.servers.length === 0 && !review.downloads?.length ? (
          <EmptyState title="Nothing can be imported" actions={<Button onClick={onAgain}>Look again</Button>} />
        ) : null}
        {origins.map((origin) => (
          <OriginList
            review={review.id}
            key={origin.key}
            origin={origin}
            draft={draft}
            onChange={setDraft}
            names={judged ? check.names : takenOnly(origin, check.names)}
            values={judged ? check.values : NONE}
            asked={asked}
            onPick={onPick}
          />
        ))}
        {review.downloads?.length ? <Downloads downloads={review.downloads} /> : null}
        {review.unusable.length > 0 ? <Unusable review={review} /> : null}
        {review.servers.length === 0 ? null : (
          <footer className="import-foot line">
            <FailureLine framed problem={problem} />
            <span className="meta" role="status">
              {`${count} of ${counted(review.servers.length, 'server')} ticked`}
            </span>
            <span className="grow" />
            {problem === undefined ? null : <Button onClick={onAgain}>Look again</Button>}
            <Button onClick={leave}>Cancel</Button>
            <GrantButton variant="primary" type="submit" held={!live || count === 0} aria-busy={busy} onGrant={submit}>
              {busy ? 'Adding …' : count === 0 ? 'Add servers' : `${isUpdate ? 'Update' : 'Add'} ${counted(count, 'server')}`}
            </GrantButton>
          </footer>
        )}
      </form>
      {folder.dialog}
      {file.dialog}
    </>
  )
}

/** The chosen folder, after earlier ones where there can be several. */
function withPath({ several }: ImportInput, before: string | undefined, path: string): string {
  return several && before ? `${before.replace(/\n+$/, '')}\n${path}` : path
}

/** Removes the added servers, except those changed since, which it names. */
async function takeBack(serverIds: readonly ServerId[]): Promise<void> {
  const [done] = (await attempt(ask('server.takeBack', { serverIds }))) ?? []
  if (!done || done.left.length === 0) return
  const names = done.left.slice(0, 5).map((id) => `“${visibleText(id)}”`)
  const more = done.left.length - names.length
  showFailure(`Changed since, so not removed: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`)
}

/** Opens the next waiting import, or the servers. */
function leave(): void {
  if (!showNextImport()) navigate({ section: 'servers' })
}

const NONE: ReadonlyMap<string, string> = new Map()

/** A name that was taken already at the review is reported at once, since the person must change it. */
function takenOnly({ servers }: Origin, names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const taken = new Set(servers.filter(({ here }) => here.is === 'name-taken').map(({ key }) => key))
  return new Map([...names].filter(([key]) => taken.has(key)))
}

interface OriginListProps extends Omit<ReviewedRowProps, 'server' | 'nameProblem'> {
  readonly origin: Origin
  readonly names: ReadonlyMap<string, string>
}

function OriginList({ origin, names, ...shared }: OriginListProps) {
  const { draft, onChange } = shared
  const { title, path, project, servers } = origin
  const all = servers.every(({ key }) => draft.ticked.has(key))
  return (
    <section className="column" aria-label={project === undefined ? title : `${title}, ${project}`}>
      <div className="import-origin-head line">
        <h2>{title}</h2>
        {project === undefined ? null : <VisibleText as="span" className="chip" text={project} />}
        {path === undefined ? null : <VisibleText as="code" className="meta" text={path} />}
        {servers.length > 1 ? (
          <Button size="small" variant="quiet" onClick={() => onChange(withTicks(draft, servers, !all))}>
            {all ? 'Deselect all' : 'Select all'}
            <span className="unseen"> of {title}</span>
          </Button>
        ) : null}
      </div>
      <ul className="import-list framed divided">
        {servers.map((server) => (
          <ReviewedRow key={server.key} {...shared} server={server} nameProblem={names.get(server.key)} />
        ))}
      </ul>
    </section>
  )
}

/** Bundles that an entry of a registry lists. */
function Downloads({ downloads }: { readonly downloads: NonNullable<ImportReview['downloads']> }) {
  return (
    <section className="column" aria-labelledby="import-downloads">
      <h2 id="import-downloads">Bundles</h2>
      <ul className="import-list framed divided">
        {downloads.map(({ address, from }) => (
          <li key={address} className="line">
            <VisibleText as="code" className="breaks" text={address} />
            <Button size="small" onClick={() => openImport(from)}>
              Download and review
              <VisibleText as="span" className="unseen" text={` ${address}`} />
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Unusable({ review: { unusable } }: { readonly review: ImportReview }) {
  return (
    <section className="column" aria-labelledby="import-unusable">
      <h2 id="import-unusable">Cannot be imported</h2>
      <ul className="import-list framed divided">
        {unusable.map(({ called, path, why }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other key
          <li key={at}>
            <VisibleText as="strong" text={called} />
            <VisibleText as="p" text={why} />
            {path === undefined ? null : <VisibleText as="code" className="meta" text={path} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
