import { useState } from 'react'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import { routeHash } from '../../state/route.ts'
import { conversationTitle } from '../../state/selectors.ts'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { ConversationMenu } from './ConversationMenu.tsx'
import { TitleField } from './TitleField.tsx'

/** One conversation in the list, with what can be done to it. */
export function ConversationRow({ head, current }: { readonly head: ConversationHead; readonly current: boolean }) {
  const [renaming, setRenaming] = useState(false)
  const title = conversationTitle(head)
  if (renaming) return <TitleField head={head} onDone={() => setRenaming(false)} />
  return (
    <div className={current ? 'conversation-row conversation-row-current' : 'conversation-row'}>
      <a
        href={routeHash({ section: 'conversations', id: head.id })}
        aria-current={current ? 'page' : undefined}
        aria-description={aboutOf(head)}
        title={title}
        dir="auto"
      >
        <VisibleText text={title} />
      </a>
      {head.pinned ? <span className="meta">Pinned</span> : null}
      {head.turn === 'running' ? <StatusDot tone="wait" word={head.overdue ? 'Still waiting' : 'Working'} /> : null}
      <ConversationMenu head={head} label={`More about ${title}`} onRename={() => setRenaming(true)} />
    </div>
  )
}

function aboutOf({ tags }: ConversationHead): string | undefined {
  return tags && tags.length > 0 ? `Tags: ${tags.join(', ')}` : undefined
}
