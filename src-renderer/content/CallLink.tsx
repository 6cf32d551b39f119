import type { ReactNode } from 'react'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { routeHash } from '../state/route.ts'
import { setOpened } from '../state/view-store.ts'

export interface CallLinkProps {
  readonly conversationId: ConversationId
  /** Its card is brought into sight; only the conversation without it. */
  readonly toolCallId: string | undefined
  readonly children: ReactNode
}

/** Leads to the card of a tool call. */
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

/** Also from under the closed line of its neighbours. */
function showCall(id: string): void {
  const card = () => document.getElementById(`call-${id}`)
  if (card()?.matches('.unseen')) setOpened({ [id]: true })
  requestAnimationFrame(() => card()?.scrollIntoView({ block: 'center' }))
}
