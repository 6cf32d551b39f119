import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Message, ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, MessageId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { ConversationTopic, MessageVersions } from '../../../src-shared/contract/topics.ts'
import { ask } from '../../state/ask.ts'
import { failureText } from '../../state/attempt.ts'

interface Earlier {
  /** The first message of the topic, before which these pages end; another first message makes them stale. */
  readonly before: MessageId | undefined
  readonly messages: readonly Message[]
  readonly toolCalls: Readonly<Record<ToolCallId, ToolCall>>
  readonly versions: readonly MessageVersions[]
  readonly hasEarlier: boolean
}

/** The loaded part of a conversation: the topic and the pages before it. */
export interface LoadedMessages {
  readonly messages: readonly Message[]
  readonly toolCalls: Readonly<Record<ToolCallId, ToolCall>>
  /** Of each message that has more than one. */
  readonly versions: ReadonlyMap<MessageId, MessageVersions>
  readonly hasEarlier: boolean
  readonly loading: boolean
  readonly problem: string | undefined
  /** Resolves to all loaded messages; undefined when it failed, or as many are being loaded. */
  loadEarlier(far?: Far): Promise<readonly Message[] | undefined>
}

/** One more page, all earlier pages, or as many as it takes to reach a message. */
type Far = 'page' | 'all' | { readonly to: MessageId }

const NONE: Pick<Earlier, 'messages' | 'toolCalls' | 'versions'> = { messages: [], toolCalls: {}, versions: [] }

export function useEarlierMessages(id: ConversationId, topic: ConversationTopic): LoadedMessages {
  const first = topic.messages[0]?.id
  const [earlier, setEarlier] = useState<Earlier>()
  const [loading, setLoading] = useState(false)
  const [problem, setProblem] = useState<string>()
  const reading = useRef<{ readonly far: Far; readonly controller: AbortController }>(undefined)
  const fresh = earlier?.before === first ? earlier : undefined
  const known = useRef(fresh)
  known.current = fresh
  const latest = useRef(topic.messages)
  latest.current = topic.messages

  // A page that is being loaded does not fit another first message.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the first message changes
  useEffect(() => () => reading.current?.controller.abort(), [first])

  const loadEarlier = useCallback(
    async (far: Far = 'page') => {
      const before = reading.current
      if (first === undefined || (before && (before.far === 'all' || far === 'page'))) return undefined
      // The page that is being loaded is part of the larger request.
      before?.controller.abort()
      const controller = new AbortController()
      reading.current = { far, controller }
      setLoading(true)
      setProblem(undefined)
      try {
        let { messages, toolCalls, versions } = known.current ?? NONE
        let hasEarlier = true
        do {
          const page = await ask('message.page', { id, before: messages[0]?.id ?? first }, controller.signal)
          messages = [...page.messages, ...messages]
          toolCalls = { ...toolCalls, ...Object.fromEntries(page.toolCalls.map((call) => [call.id, call])) }
          versions = [...page.versions, ...versions]
          hasEarlier = page.hasEarlier && page.messages.length > 0
        } while (hasEarlier && far !== 'page' && (far === 'all' || !messages.some((message) => message.id === far.to)))
        setEarlier({ before: first, messages, toolCalls, versions, hasEarlier })
        return [...messages, ...latest.current]
      } catch (error) {
        if (!controller.signal.aborted) setProblem(failureText(error))
        return undefined
      } finally {
        if (reading.current?.controller === controller) {
          reading.current = undefined
          setLoading(false)
        }
      }
    },
    [id, first],
  )

  // Memoized apart: a streaming text changes a message many times a second, and no call.
  const messages = useMemo(() => (fresh ? [...fresh.messages, ...topic.messages] : topic.messages), [fresh, topic.messages])
  const toolCalls = useMemo(
    // The topic's messages are newer than those of a page.
    () => (fresh ? { ...fresh.toolCalls, ...topic.toolCalls } : topic.toolCalls),
    [fresh, topic.toolCalls],
  )
  const versions = useMemo(() => {
    const several = [...(fresh?.versions ?? []), ...(topic.versions ?? [])].filter(({ ids }) => ids.length > 1)
    return new Map(several.flatMap((one) => one.ids.map((version) => [version, one])))
  }, [fresh, topic.versions])
  const hasEarlier = fresh ? fresh.hasEarlier : topic.hasEarlier
  return { messages, toolCalls, versions, hasEarlier, loading, problem, loadEarlier }
}
