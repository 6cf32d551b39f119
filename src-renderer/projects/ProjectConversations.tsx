import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import type { ProjectId } from '../../src-shared/contract/ids.ts'
import { ask } from '../state/ask.ts'
import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { conversationTitle, workingLabel } from '../state/selectors.ts'
import { usePages } from '../state/use-pages.ts'
import { Button } from '../ui/Button.tsx'
import { Awaited } from '../ui/ProblemCard.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'

/** The conversations of a project, newest first, a page at a time. */
export function ProjectConversations({ id }: { readonly id: ProjectId }) {
  const known = useHost((mirror) => mirror.host.conversations)
  const { pages, problem, more, again } = usePages(
    (before, signal) => ask('conversation.page', { project: id, ...(before !== undefined && { before }) }, signal),
    [id, known],
  )
  const waits = pages.length === 0 || problem !== undefined
  if (waits) return <Awaited label="Loading the conversations" lines={3} problem={problem} onRetry={again} />
  const heads = pages.flatMap(({ items }) => items)
  if (heads.length === 0) return <p className="soft">None yet.</p>
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
      {more ? (
        <div>
          <Button onClick={more}>Show older</Button>
        </div>
      ) : null}
    </>
  )
}

function Working({ head }: { readonly head: ConversationHead }) {
  const word = useHost(({ host }) => workingLabel(head, host))
  return word ? <StatusDot tone="wait" word={word} /> : null
}
