import { useEffect, useState } from 'react'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { findHead } from '../../state/selectors.ts'
import { Button } from '../../ui/Button.tsx'
import { filesDone } from './files-done.ts'

export interface UndoCallProps {
  readonly conversationId: ConversationId
  readonly call: ToolCall
}

/** True for a call that changed files and was not undone; the host knows whether it can be. */
function hasChanged(call: ToolCall): boolean {
  const did = call.imported || call.undone ? undefined : filesDone(call)?.did
  return did === 'edited' || did === 'written'
}

/** Offers to undo the change of a file where the host knows what was there before. */
export function UndoCall({ conversationId, call }: UndoCallProps) {
  const idle = useHost((mirror) => mirror.link === 'live' && findHead(mirror, conversationId)?.turn === 'idle')
  const asked = useHost((mirror) => mirror.host.interactions.some(({ about }) => about.conversationId === conversationId))
  // Undoing the last change of a file makes the one before the last.
  const undone = useHost(({ topics }) => {
    const topic = topics[`conversation/${conversationId}`]
    return topic?.is === 'open' && topic.value.kind === 'conversation'
      ? Object.values(topic.value.toolCalls).filter((one) => one.undone).length
      : 0
  })
  const changed = hasChanged(call)
  const [offered, setOffered] = useState<string>()
  const now = `${call.id} ${undone}`
  useEffect(() => {
    if (!idle || !changed) return
    let current = true
    const look = async () => {
      const can = await ask('toolCall.canUndo', { id: conversationId, toolCallId: call.id })
      if (current) setOffered(can ? now : undefined)
    }
    void attempt(look())
    return () => {
      current = false
    }
  }, [idle, changed, conversationId, call.id, now])
  if (!idle || !changed || offered !== now) return null
  return (
    <Button
      size="small"
      disabled={asked}
      onClick={() => void attempt(ask('toolCall.undo', { id: conversationId, toolCallId: call.id }))}
    >
      Undo
    </Button>
  )
}
