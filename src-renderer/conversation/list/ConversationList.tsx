import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { attempt } from '../../state/attempt.ts'
import { importConversation, readOlderConversations } from '../../state/conversation-actions.ts'
import { useHost, useHostShallow } from '../../state/host-store.ts'
import { routeHash } from '../../state/route.ts'
import { findHead } from '../../state/selectors.ts'
import { navigate, searchConversationsFor, setProjectOpen, useView } from '../../state/view-store.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { ImportIcon, PlusIcon } from '../../ui/icons.tsx'
import { VirtualList } from '../../ui/lists/VirtualList.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { useNow } from '../../ui/time.ts'
import './conversation.css'
import { useFileInput } from '../../ui/fields/use-file-input.tsx'
import { ConversationRow } from './ConversationRow.tsx'
import { ListFilter } from './ListFilter.tsx'
import { byDate, type ListEntry, listEntries } from './list-entries.ts'
import { ProjectRow } from './ProjectRow.tsx'
import { type HeadFilter, useHeads, useOpenProjects } from './use-heads.ts'
import { useSelection } from './use-selection.ts'

const SearchHits = onDemand(() => import('./SearchHits.tsx').then((module) => module.SearchHits))
const SelectionBar = onDemand(() => import('./SelectionBar.tsx').then((module) => module.SelectionBar))

const FIRST: ListEntry = { is: 'note', key: 'first', text: 'No conversations yet' }
const CUT: ListEntry = { is: 'note', key: 'cut', text: 'Search to find older conversations.' }
const MINUTE = 60_000
const keyOf = (entry: ListEntry) => entry.key

/** All conversations by project and by date, with full-text search. */
export function ConversationList() {
  const query = useView((view) => view.conversationQuery)
  const [filter, setFilter] = useState<HeadFilter>()
  const count = useHost((mirror) => mirror.host.conversationCount)
  const { entries: kept, loadMore } = useEntries(filter)
  const entries = useMemo(() => (count === 0 ? [FIRST, ...kept] : kept), [kept, count])
  const listed = useMemo(() => entries.flatMap((entry) => (entry.is === 'head' ? [entry.head] : [])), [entries])
  const selection = useSelection(listed)
  const selecting = selection.heads.length > 0
  const route = useView((view) => view.route)
  const begin = useRef<HTMLButtonElement>(null)
  const { has, choose, clear } = selection
  const render = (entry: ListEntry) => {
    switch (entry.is) {
      case 'heading':
        return <Heading text={entry.text} />
      case 'project':
        return <ProjectRow project={entry.project} open={entry.open} current={route.id === entry.project.id} />
      case 'head':
        return (
          <ConversationRow
            head={entry.head}
            current={route.section === 'conversations' && entry.head.id === route.id}
            inset={entry.inProject}
            selected={selecting ? has(entry.head.id) : undefined}
            onSelect={choose}
          />
        )
      case 'note':
        return <p className="meta conversation-list-none">{entry.text}</p>
      case 'more':
        return (
          <a className="conversation-list-more meta" href={routeHash({ section: 'projects', id: entry.project })}>
            {entry.text}
          </a>
        )
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !selecting) return
    begin.current?.focus()
    clear()
  }
  return (
    <section className="conversation-list column-0" aria-label="Conversation list" onKeyDown={onKeyDown}>
      <div className="conversation-list-tools column">
        <div className="conversation-list-new row">
          <Button ref={begin} aria-label="New conversation" onClick={() => navigate({ section: 'conversations', id: 'new' })}>
            <PlusIcon /> New{count > 0 ? '' : ' conversation'}
          </Button>
          <ImportButton />
          {count > 0 ? (
            <SearchField
              label="Search conversations"
              placeholder="Search"
              value={query}
              onChange={searchConversationsFor}
              onKeyDown={(event) => {
                if (event.key !== 'Escape' || query === '') return
                event.stopPropagation()
                searchConversationsFor('')
              }}
            />
          ) : null}
        </div>
        {selecting ? <SelectionBar selection={selection} after={begin} /> : null}
      </div>
      {query.trim() !== '' ? (
        <SearchHits query={query.trim()} />
      ) : (
        <VirtualList label="All conversations" items={entries} keyOf={keyOf} rowHeight={34} render={render} onEnd={loadMore} />
      )}
      <ListFilter filter={filter} onChange={setFilter} />
    </section>
  )
}

function Heading({ text }: { readonly text: string }) {
  return (
    <div className="conversation-list-heading">
      <h2>{text}</h2>
      {text === 'Projects' ? (
        <IconButton label="New project" icon={<PlusIcon />} onClick={() => navigate({ section: 'projects', id: 'new' })} />
      ) : null}
    </div>
  )
}

/** The rows of the list, and the request for more. */
function useEntries(filter: HeadFilter | undefined) {
  const [newest, older, hasUnread, count, projects] = useHostShallow(
    ({ host, older, unread }) =>
      [host.conversations, older, unread !== undefined, host.conversationCount, host.projects] as const,
  )
  const found = useHeads(filter)
  const unfolded = useUnfolded()
  const open = useOpenProjects(unfolded)
  const now = useNow(MINUTE)
  const today = new Date(now).setHours(0, 0, 0, 0)
  const heads = useMemo(() => (older.length === 0 ? newest : [...newest, ...older]), [newest, older])
  const entries = useMemo(
    () =>
      filter
        ? [...byDate(found?.heads ?? [], today), ...(found?.cut ? [CUT] : [])]
        : listEntries({ projects, open, heads }, today),
    [filter, found, projects, open, heads, today],
  )
  return { entries, loadMore: useOlder(filter === undefined && hasUnread && heads.length < count) }
}

/** The open projects that still exist. The project of a conversation opens when that one is shown. */
function useUnfolded() {
  const open = useView((view) => view.openProjects)
  const route = useView((view) => view.route)
  const projects = useHost((mirror) => mirror.host.projects)
  const here = useHost((mirror) => (route.section === 'conversations' ? findHead(mirror, route.id)?.project : undefined))
  useEffect(() => {
    if (here !== undefined) setProjectOpen(here, true)
  }, [here])
  return useMemo(() => new Set(projects.flatMap(({ id }) => (open.has(id) ? [id] : []))), [open, projects])
}

/** Reads older heads page by page, each once. */
function useOlder(more: boolean): () => void {
  const reading = useRef(false)
  return useCallback(() => {
    if (!more || reading.current) return
    reading.current = true
    void attempt(readOlderConversations()).then(() => {
      reading.current = false
    })
  }, [more])
}

function ImportButton() {
  const [share, setShare] = useState<number>()
  const take = async (file: File) => {
    setShare(0)
    await attempt(importConversation(file, setShare))
    setShare(undefined)
  }
  const file = useFileInput({
    label: 'Exported conversation',
    accept: '.parley,.json,application/json',
    onFiles: ([chosen]) => void take(chosen),
  })
  return (
    <>
      <IconButton label="Import a conversation" icon={<ImportIcon />} disabled={share !== undefined} onClick={file.choose} />
      {file.input}
      {share === undefined ? null : <progress aria-label="Importing" value={share} max={1} />}
    </>
  )
}
