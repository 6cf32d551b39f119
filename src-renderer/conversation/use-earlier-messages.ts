import { useCallback, useMemo, useState } from 'react'
import type { ConversationId, Message, MessageId, ToolCall, ToolCallId } from '../../src-shared/contract/conversations.ts'
import type { ConversationTopic } from '../../src-shared/contract/topics.ts'
import { failureText, readEarlierMessages } from '../state/actions.ts'

interface Earlier {
  /** The first message of the topic that these pages end before; another one makes them stale. */
  readonly before: MessageId | undefined
  readonly messages: readonly Message[]
  readonly toolCalls: Readonly<Record<ToolCallId, ToolCall>>
  readonly hasEarlier: boolean
}

/** A conversation as far as it was read: the topic and the pages before it. */
export interface Reading {
  readonly messages: readonly Message[]
  readonly toolCalls: Readonly<Record<ToolCallId, ToolCall>>
  readonly hasEarlier: boolean
  readonly loading: boolean
  readonly problem: string | undefined
  loadEarlier(): Promise<void>
}

export function useEarlierMessages(id: ConversationId, topic: ConversationTopic): Reading {
  const first = topic.messages[0]?.id
  const [earlier, setEarlier] = useState<Earlier>()
  const [loading, setLoading] = useState(false)
  const [problem, setProblem] = useState<string>()
  const fresh = earlier?.before === first ? earlier : undefined

  const loadEarlier = useCallback(async () => {
    const oldest = fresh?.messages[0]?.id ?? first
    if (oldest === undefined || loading) return
    setLoading(true)
    setProblem(undefined)
    try {
      const page = await readEarlierMessages(id, oldest)
      setEarlier({
        before: first,
        messages: [...page.messages, ...(fresh?.messages ?? [])],
        toolCalls: { ...fresh?.toolCalls, ...Object.fromEntries(page.toolCalls.map((call) => [call.id, call])) },
        hasEarlier: page.hasEarlier,
      })
    } catch (error) {
      setProblem(failureText(error))
    } finally {
      setLoading(false)
    }
  }, [id, first, fresh, loading])

  return useMemo(
    () => ({
      messages: fresh ? [...fresh.messages, ...topic.messages] : topic.messages,
      // What the host tells now wins over what a page said when it was read.
      toolCalls: fresh ? { ...fresh.toolCalls, ...topic.toolCalls } : topic.toolCalls,
      hasEarlier: fresh ? fresh.hasEarlier : topic.hasEarlier,
      loading,
      problem,
      loadEarlier,
    }),
    [fresh, topic, loading, problem, loadEarlier],
  )
}
