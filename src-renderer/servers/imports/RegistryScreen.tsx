import { type FormEvent, useState } from 'react'
import { hostOf } from '../../../src-shared/base/hosts.ts'
import { MAX_REGISTRIES, type RegistryEntry, type RegistryPage } from '../../../src-shared/contract/registries.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { FIND_IN_REGISTRY } from '../../state/route.ts'
import { usePages } from '../../state/use-pages.ts'
import { askToOpenLink, navigate, openImport, useView } from '../../state/view-store.ts'
import { counted } from '../../ui/amounts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { BackIcon } from '../../ui/icons.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ScreenTitle } from '../../ui/ScreenTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import './imports.css'

/** Nobody reads further; more words find more. */
const MAX_PAGES = 20

/** Searches a registry of the person's for servers; each is opened in the review of imports. */
export function RegistryScreen() {
  const { tab: words, item } = useView(({ route }) => route)
  const registries = useHost((mirror) => mirror.host.settings.registries)
  const registry = registries.find((one) => one === item) ?? registries[0]
  const [adding, setAdding] = useState(false)
  const add = <Button onClick={() => setAdding(true)}>Add registry …</Button>
  return (
    <div className="screen column-4 import-screen">
      <header className="screen-head actions">
        <IconButton label="Back to the list" icon={<BackIcon />} onClick={() => navigate({ section: 'servers' })} />
        <div className="screen-head-text">
          <ScreenTitle>Find in a registry</ScreenTitle>
          <p className="soft">A registry lists servers that anyone may publish. It does not check what they do.</p>
        </div>
        {registry === undefined ? null : (
          <div className="actions">
            {add}
            <Button onClick={() => void attempt(save(registries.filter((one) => one !== registry)))}>Remove registry</Button>
          </div>
        )}
      </header>
      {registry === undefined ? (
        <EmptyState title="No registry yet" actions={add}>
          <p>Use the official MCP registry, your company’s, or any other with the same interface.</p>
        </EmptyState>
      ) : (
        <>
          <SearchForm key={`${registry} ${words}`} registries={registries} registry={registry} words={words ?? ''} />
          {words === undefined ? null : <Found key={`${words} ${registry}`} registry={registry} words={words} />}
        </>
      )}
      {adding ? <AddRegistry registries={registries} onClose={() => setAdding(false)} /> : null}
    </div>
  )
}

const save = (registries: readonly string[]) => ask('settings.change', { settings: { registries: [...registries] } })

interface SearchFormProps {
  readonly registries: readonly string[]
  readonly registry: string
  readonly words: string
}

function SearchForm({ registries, registry, words }: SearchFormProps) {
  const [typed, setTyped] = useState(words)
  const [empty, setEmpty] = useState(false)
  const search = (event: FormEvent) => {
    event.preventDefault()
    const now = typed.trim()
    setEmpty(now === '')
    if (now !== '') navigate({ ...FIND_IN_REGISTRY, tab: now, item: registry })
  }
  return (
    <form className="column-3" onSubmit={search} noValidate>
      {registries.length > 1 ? (
        <Select
          label="Registry"
          options={registries.map((value) => ({ value, label: hostOf(value) }))}
          value={registry}
          onChange={(value) => navigate({ ...FIND_IN_REGISTRY, ...(words !== '' && { tab: words }), item: value })}
        />
      ) : null}
      <TextField
        type="search"
        label="Name of a server or publisher"
        hint={`${hostOf(registry)} gets these words and nothing else.`}
        problem={empty ? 'Required' : undefined}
        maxLength={200}
        value={typed}
        onChange={setTyped}
        beside={<Button type="submit">Search</Button>}
      />
    </form>
  )
}

function Found({ registry, words }: { readonly registry: string; readonly words: string }) {
  const { pages, problem, busy, more, again } = usePages(
    (cursor, signal) => ask('registry.search', { registry, words, ...(cursor !== undefined && { cursor }) }, signal),
    [registry, words],
  )
  const entries = pages.flatMap((page) => page.entries)
  const [last] = pages.slice(-1)
  return (
    <>
      <FailureLine framed problem={problem} />
      {problem !== undefined ? (
        <div className="actions">
          <Button onClick={again}>Try again</Button>
        </div>
      ) : null}
      {pages.length === 0 && problem === undefined ? <Skeleton label="Searching" lines={6} /> : null}
      <p className="meta" role="status">
        {last ? <Summary pages={pages} entries={entries.length} words={words} /> : null}
      </p>
      {entries.length > 0 ? (
        <ul className="import-list framed divided" aria-label="Servers found">
          {entries.map((entry, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a registry may list a server twice
            <Entry key={at} entry={entry} registry={registry} />
          ))}
        </ul>
      ) : null}
      {more && pages.length < MAX_PAGES ? (
        <div className="actions">
          <Button onClick={more} aria-busy={busy}>
            Show more
          </Button>
        </div>
      ) : null}
    </>
  )
}

function Summary({
  pages,
  entries,
  words,
}: {
  readonly pages: readonly RegistryPage[]
  readonly entries: number
  readonly words: string
}) {
  const leftOut = pages.reduce((sum, page) => sum + page.leftOut, 0)
  const stale = pages.find(({ staleSince }) => staleSince !== undefined)?.staleSince
  return (
    <>
      {entries === 0 ? `No server has “${words}” in its name.` : `${counted(entries, 'server')} found.`}
      {leftOut > 0 ? ` ${leftOut} left out: their names are not valid.` : null}
      {stale === undefined ? null : (
        <span className="tone-wait">
          {' The registry does not answer. This is from '}
          <RelativeTime at={stale} />.
        </span>
      )}
    </>
  )
}

function Entry({ entry, registry }: { readonly entry: RegistryEntry; readonly registry: string }) {
  const { name, title, version, description, status, statusMessage, ways, website, warnings, installed } = entry
  return (
    <li className="column-1">
      <div className="import-server-head line">
        <VisibleText as="strong" className="breaks" text={name} />
        <VisibleText as="span" className="meta" text={version} />
        {status === 'deprecated' ? <span className="chip chip-wait">Deprecated</span> : null}
        {status === 'unknown' ? <span className="chip">Status unknown</span> : null}
        {installed ? <span className="chip">Installed</span> : null}
        {ways.length === 0 ? null : (
          <Button size="small" onClick={() => openImport({ registry, server: name, version })}>
            Review
            <VisibleText as="span" className="unseen" text={` ${name}`} />
          </Button>
        )}
      </div>
      {title === undefined ? null : <VisibleText as="p" className="meta" text={title} />}
      {statusMessage === undefined ? null : <VisibleText as="p" className="tone-wait" text={statusMessage} />}
      {warnings.map((warning) => (
        <VisibleText key={warning} as="p" className="tone-wait" text={warning} />
      ))}
      {description === '' ? null : <VisibleText as="p" text={description} />}
      <p className="meta">
        {ways.length === 0 ? 'It cannot be added: it does not say how to run it.' : <VisibleText text={ways.join(', ')} />}
        {installed && installed.version !== version ? <VisibleText text={` Here: ${installed.version}.`} /> : null}
      </p>
      {website === undefined ? null : (
        <div>
          <Button size="small" variant="quiet" onClick={() => askToOpenLink(website)}>
            Website
            <VisibleText as="span" className="unseen" text={` of ${name}`} />
          </Button>
        </div>
      )}
    </li>
  )
}

function AddRegistry({ registries, onClose }: { readonly registries: readonly string[]; readonly onClose: () => void }) {
  const [address, setAddress] = useState('')
  const [judged, setJudged] = useState(false)
  const problem = addressProblem(address.trim(), registries)
  return (
    <FormDialog
      title="Add a registry"
      verb="Add"
      onClose={onClose}
      onSubmit={() => {
        setJudged(true)
        return problem === undefined ? save([...registries, address.trim()]) : undefined
      }}
    >
      <TextField
        code
        label="Address"
        hint="Its documentation names it. Nothing is sent until you search."
        value={address}
        onChange={setAddress}
        problem={judged ? problem : undefined}
      />
    </FormDialog>
  )
}

function addressProblem(address: string, registries: readonly string[]): string | undefined {
  if (address === '') return 'Required'
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'An address begins with https://'
  if (url.username || url.search || url.hash) return 'Leave out names, “?” and “#”'
  if (registries.includes(address)) return 'Already in your list'
  return registries.length >= MAX_REGISTRIES ? 'Remove a registry first' : undefined
}
