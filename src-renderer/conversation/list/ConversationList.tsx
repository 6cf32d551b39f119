import { useCallback, useMemo, useRef, useState } from 'react'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import { attempt } from '../../state/attempt.ts'
import { readOlderConversations } from '../../state/conversation-actions.ts'
import { useHostShallow } from '../../state/host-store.ts'
import { navigate, useView } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { VirtualList } from '../../ui/lists/VirtualList.tsx'
import './conversation.css'
import { ConversationRow } from './ConversationRow.tsx'
import { ImportButton } from './ImportButton.tsx'
import { SearchHits } from './SearchHits.tsx'
import { TagFilter } from './TagFilter.tsx'
import { useTagged } from './use-tagged.ts'

const keyOf = (head: ConversationHead) => head.id

/** All conversations, newest first, with search over what was said in them. */
export function ConversationList() {
  const [newest, older, count] = useHostShallow(
    (mirror) => [mirror.host.conversations, mirror.older, mirror.host.conversationCount] as const,
  )
  const [tag, setTag] = useState('')
  const tagged = useTagged(tag)
  const heads = useMemo(
    () => pinnedFirst(tagged ?? (older.length === 0 ? newest : [...newest, ...older])),
    [tagged, newest, older],
  )
  const [query, setQuery] = useState('')
  const current = useView((view) => (view.route.section === 'conversations' ? view.route.id : undefined))
  const loadMore = useOlder(tag === '' && heads.length < count)
  const render = useCallback((head: ConversationHead) => <ConversationRow head={head} current={head.id === current} />, [current])
  return (
    <section className="conversation-list" aria-label="Conversation list">
      <div className="conversation-list-tools">
        <div className="conversation-list-new">
          <Button onClick={() => navigate({ section: 'conversations', id: 'new' })}>
            <PlusIcon /> New conversation
          </Button>
          <ImportButton />
        </div>
        {count > 0 ? (
          <SearchField
            label="Search conversations"
            placeholder="Search"
            value={query}
            onChange={setQuery}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setQuery('')
            }}
          />
        ) : null}
        <TagFilter tag={tag} onChange={setTag} />
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

/** Pinned ones at the top; otherwise as they come. */
function pinnedFirst(heads: readonly ConversationHead[]): readonly ConversationHead[] {
  const pinned = heads.filter((head) => head.pinned)
  return pinned.length === 0 ? heads : [...pinned, ...heads.filter((head) => !head.pinned)]
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
