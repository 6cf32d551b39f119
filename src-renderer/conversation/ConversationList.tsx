import { useCallback, useMemo, useRef, useState } from 'react'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import { attempt, readOlderConversations, removeConversation, renameConversation } from '../state/actions.ts'
import { useHostShallow } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { conversationTitle } from '../state/selectors.ts'
import { navigate, useView } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/fields.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { Menu } from '../ui/Menu.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { VirtualList } from '../ui/VirtualList.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import './conversation.css'
import { SearchHits } from './SearchHits.tsx'
import { TitleField } from './TitleField.tsx'

const keyOf = (head: ConversationHead) => head.id

/** All conversations, newest first, with search over what was said in them. */
export function ConversationList() {
  const [newest, older, count] = useHostShallow(
    (mirror) => [mirror.host.conversations, mirror.older, mirror.host.conversationCount] as const,
  )
  const heads = useMemo(() => (older.length === 0 ? newest : [...newest, ...older]), [newest, older])
  const [query, setQuery] = useState('')
  const current = useView((view) => (view.route.section === 'conversations' ? view.route.id : undefined))
  const loadMore = useOlder(heads.length < count)
  const render = useCallback((head: ConversationHead) => <Row head={head} current={head.id === current} />, [current])
  return (
    <section className="conversation-list" aria-label="Conversation list">
      <div className="conversation-list-tools">
        <Button onClick={() => navigate({ section: 'conversations', id: 'new' })}>
          <PlusIcon /> New conversation
        </Button>
        {count > 0 ? (
          <TextField
            type="search"
            label="Search conversations"
            hideLabel
            placeholder="Search"
            value={query}
            onChange={setQuery}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setQuery('')
            }}
          />
        ) : null}
      </div>
      {query.trim() !== '' ? (
        <SearchHits query={query.trim()} />
      ) : heads.length === 0 ? (
        <p className="meta conversation-list-none">What you write is kept here.</p>
      ) : (
        <VirtualList label="All conversations" items={heads} keyOf={keyOf} rowHeight={34} render={render} onEnd={loadMore} />
      )}
    </section>
  )
}

/** Reads older heads page by page, each once. */
function useOlder(more: boolean): () => void {
  const cursor = useRef<string | undefined>(undefined)
  const state = useRef<'idle' | 'reading' | 'end'>('idle')
  return useCallback(() => {
    if (!more || state.current !== 'idle') return
    state.current = 'reading'
    void attempt(
      readOlderConversations(cursor.current).then((next) => {
        cursor.current = next
        state.current = next === undefined ? 'end' : 'idle'
      }),
    ).then((read) => {
      if (!read) state.current = 'idle'
    })
  }, [more])
}

function Row({ head, current }: { readonly head: ConversationHead; readonly current: boolean }) {
  const [renaming, setRenaming] = useState(false)
  const title = conversationTitle(head)
  if (renaming) {
    return (
      <TitleField
        title={head.title}
        onDone={(renamed) => {
          setRenaming(false)
          if (renamed !== undefined) void attempt(renameConversation(head.id, renamed))
        }}
      />
    )
  }
  return (
    <div className={current ? 'conversation-row conversation-row-current' : 'conversation-row'}>
      <a
        href={routeHash({ section: 'conversations', id: head.id })}
        aria-current={current ? 'page' : undefined}
        title={title}
        dir="auto"
      >
        <VisibleText text={title} />
      </a>
      {head.turn === 'running' ? <StatusDot tone="wait" word="Working" /> : null}
      <Menu
        label={`More about ${title}`}
        items={[
          { label: 'Rename', onSelect: () => setRenaming(true) },
          { label: 'Delete', danger: true, onSelect: () => void attempt(removeConversation(head)) },
        ]}
      />
    </div>
  )
}
