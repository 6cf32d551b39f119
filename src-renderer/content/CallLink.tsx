import type { ReactNode } from 'react'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { routeHash } from '../state/route.ts'
import { setOpened } from '../state/view-store.ts'

interface CallLinkProps {
  readonly conversationId: ConversationId
  /** Without it the link leads to the conversation alone. */
  readonly toolCallId: string | undefined
  readonly children: ReactNode
}

export function CallLink({ conversationId, toolCallId, children }: CallLinkProps) {
  return (
    <a
      href={routeHash({ section: 'conversations', id: conversationId })}
      onClick={() => {
        if (toolCallId !== undefined) showCall(toolCallId)
      }}
    >
      {children}
    </a>
  )
}

/** Opens the line that gathers calls when it hides the card. */
function showCall(id: string): void {
  const card = () => document.getElementById(`call-${id}`)
  if (card()?.matches('.unseen')) setOpened({ [id]: true })
  requestAnimationFrame(() => card()?.scrollIntoView({ block: 'center' }))
}
