import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { ConversationHead, ConversationId, Message, ToolCall } from '../../src-shared/contract/conversations.ts'
import type { ConversationTopic } from '../../src-shared/contract/topics.ts'
import { useHost } from '../state/host-store.ts'
import { modelName } from '../state/selectors.ts'
import { announce } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { MessageView } from './MessageView.tsx'
import { TurnStatus } from './TurnStatus.tsx'
import { type Reading, useEarlierMessages } from './use-earlier-messages.ts'
import { useReadingPlace } from './use-reading-place.ts'

/** How many messages are built at once, and by how many the window moves. */
const WINDOW = 300
const STEP = 150

const NO_CALLS: readonly ToolCall[] = []

function callsOf(message: Message, toolCalls: Reading['toolCalls']): readonly ToolCall[] {
  const calls = message.parts.flatMap((part) => {
    const call = part.type === 'tool-call' ? toolCalls[part.toolCallId] : undefined
    return call ? [call] : []
  })
  return calls.length === 0 ? NO_CALLS : calls
}

export interface MessageListProps {
  readonly id: ConversationId
  readonly head: ConversationHead | undefined
  readonly topic: ConversationTopic
  /** What is shown below the messages, if anything. */
  readonly question: ReactNode
}

/** The messages: a window over all that were read, following the end while one reads along. */
export function MessageList({ id, head, topic, question }: MessageListProps) {
  const reading = useEarlierMessages(id, topic)
  const providers = useHost((mirror) => mirror.host.providers)
  const scroller = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  /** Messages left out at the end; 0 while one reads along. */
  const [hiddenAfter, setHiddenAfter] = useState(0)
  const { messages, toolCalls } = reading
  const end = Math.max(Math.min(WINDOW, messages.length), messages.length - hiddenAfter)
  const start = Math.max(0, end - WINDOW)
  const shown = useMemo(() => messages.slice(start, end), [messages, start, end])
  const place = useReadingPlace(scroller, content, shown[0]?.id, question)
  const model = head ? modelName(providers, head.model) : 'the model'
  useAnnouncedEnd(topic, model)

  const own = messages.at(-1)?.role === 'user' ? messages.at(-1)?.id : undefined
  const { toEnd } = place
  useEffect(() => {
    if (own === undefined) return
    setHiddenAfter(0)
    toEnd()
  }, [own, toEnd])

  const earlier = async () => {
    if (start > 0) setHiddenAfter(Math.min(messages.length - WINDOW, hiddenAfter + STEP))
    else await reading.loadEarlier()
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard
    <section className="messages" aria-label="Messages" ref={scroller} tabIndex={0} onScroll={place.onScroll}>
      <div className="messages-column" ref={content}>
        {start > 0 || reading.hasEarlier ? (
          <div className="messages-more">
            <Button size="small" disabled={reading.loading} onClick={() => void earlier()}>
              {reading.loading ? 'Loading earlier messages …' : 'Earlier messages'}
            </Button>
            {reading.problem ? <span role="alert">{reading.problem}</span> : null}
          </div>
        ) : null}
        {shown.map((message, index) => {
          const before = shown[index - 1]
          return (
            <MessageView
              key={message.id}
              conversationId={id}
              message={message}
              calls={callsOf(message, toolCalls)}
              author={message.model ? modelName(providers, message.model) : model}
              goesOn={before?.role === 'assistant' && message.role === 'assistant' && before.turnId === message.turnId}
              questionOpen={question !== null}
            />
          )
        })}
        {end < messages.length ? (
          <div className="messages-more">
            <Button size="small" onClick={() => setHiddenAfter(Math.max(0, hiddenAfter - STEP))}>
              Newer messages
            </Button>
          </div>
        ) : null}
        {topic.turn && end === messages.length ? (
          <TurnStatus conversationId={id} turn={topic.turn} toolCalls={topic.toolCalls} model={model} />
        ) : null}
      </div>
      {place.atEnd && end === messages.length ? null : (
        <div className="messages-latest">
          <Button
            size="small"
            onClick={() => {
              setHiddenAfter(0)
              requestAnimationFrame(toEnd)
            }}
          >
            Go to the latest
          </Button>
        </div>
      )}
    </section>
  )
}

/** Tells screen readers once how a turn that ran before their eyes has ended. */
function useAnnouncedEnd({ turn }: ConversationTopic, model: string): void {
  const before = useRef(turn?.status)
  useEffect(() => {
    const was = before.current
    before.current = turn?.status
    if (was !== 'running' || !turn || turn.status === 'running') return
    announce(turn.problem?.what ?? (turn.status === 'finished' ? `${model} has replied.` : 'The reply was stopped.'))
  }, [turn, model])
}
