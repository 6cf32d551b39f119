import { useEffect, useState } from 'react'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import type { ProjectId } from '../../src-shared/contract/ids.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { conversationTitle, workingLabel } from '../state/selectors.ts'
import { useRequest } from '../state/use-request.ts'
import { Button } from '../ui/Button.tsx'
import { Awaited } from '../ui/ProblemCard.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'

/** The conversations of a project, newest first, a page at a time. */
export function ProjectConversations({ id }: { readonly id: ProjectId }) {
  const known = useHost((mirror) => mirror.host.conversations)
  const { value, problem } = useRequest('conversation.page', { project: id }, { refetchOn: [known] })
  const [older, setOlder] = useState<{ readonly heads: readonly ConversationHead[]; readonly next: string | undefined }>()
  // A change of the first page moves the boundaries of all further pages.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first page counts
  useEffect(() => setOlder(undefined), [value])
  if (!value || problem !== undefined) return <Awaited label="Loading the conversations" lines={3} problem={problem} />
  const next = older ? older.next : value.next
  const heads = [...value.items, ...(older?.heads ?? [])]
  if (heads.length === 0) return <p className="soft">None yet.</p>
  const more = async (before: string) => {
    const [page] = (await attempt(ask('conversation.page', { project: id, before }))) ?? []
    if (page) setOlder({ heads: [...(older?.heads ?? []), ...page.items], next: page.next })
  }
  return (
    <>
      <ul className="framed divided" aria-label="Conversations of this project">
        {heads.map((head) => (
          <li key={head.id} className="projects-row">
            <a href={routeHash({ section: 'conversations', id: head.id })} dir="auto">
              <VisibleText text={conversationTitle(head)} />
            </a>
            <Working head={head} />
            <span className="meta">
              {head.archived ? 'Archived, ' : null}
              <RelativeTime at={head.updatedAt} />
            </span>
          </li>
        ))}
      </ul>
      {next === undefined ? null : (
        <div>
          <Button onClick={() => void more(next)}>Show older</Button>
        </div>
      )}
    </>
  )
}

function Working({ head }: { readonly head: ConversationHead }) {
  const word = useHost(({ host }) => workingLabel(head, host))
  return word ? <StatusDot tone="wait" word={word} /> : null
}
