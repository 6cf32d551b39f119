import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { ConversationHead, Message, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ConversationTopic } from '../../../src-shared/contract/topics.ts'
import { useHost } from '../../state/host-store.ts'
import { modelLabel } from '../../state/models.ts'
import { announce, type SearchTarget, seek, useView } from '../../state/view-store.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { Button } from '../../ui/Button.tsx'
import { focusMessage } from '../../ui/focus-message.ts'
import { OwnMessage } from './OwnMessage.tsx'
import { Reply, type ReplyProps } from './Reply.tsx'
import { isSameReply, itemsOf, replyAnnouncement } from './reply-pieces.ts'
import { ScrollAnchor } from './ScrollAnchor.tsx'
import { TurnStatus } from './TurnStatus.tsx'
import { type LoadedMessages, useEarlierMessages } from './use-earlier-messages.ts'
import { useMessageWindow } from './use-message-window.ts'
import { useReadingPlace } from './use-reading-place.ts'
import { callsOfTurn } from './waiting-for.ts'
import './transcript.css'

const NO_CALLS: readonly ToolCall[] = []

const NO_MESSAGES: readonly Message[] = []

function callsOf(messages: readonly Message[], toolCalls: LoadedMessages['toolCalls']): readonly ToolCall[] {
  const calls = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      const call = part.type === 'tool-call' ? toolCalls[part.toolCallId] : undefined
      return call ? [call] : []
    }),
  )
  return calls.length === 0 ? NO_CALLS : calls
}

/** The messages that belong to the same reply as the first rendered one, and are not rendered. */
function earlierOf(messages: readonly Message[], start: number): readonly Message[] {
  const first = messages[start]
  let from = start
  while (first && from > 0 && isSameReply(messages[from - 1] ?? first, first)) from -= 1
  return from === start ? NO_MESSAGES : messages.slice(from, start)
}

interface MessageListProps {
  readonly id: ConversationId
  readonly head: ConversationHead
  readonly topic: ConversationTopic
  /** Shown below the messages. */
  readonly question: ReactNode
}

/** The messages: a window over all loaded ones, which follows the end while the person reads there. */
export function MessageList({ id, head, topic, question }: MessageListProps) {
  const loaded = useEarlierMessages(id, topic)
  const providers = useHost((mirror) => mirror.host.providers)
  const scroller = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { messages, toolCalls, versions } = loaded
  const rendered = useMessageWindow(loaded, scroller)
  const { start, end, goToEnd } = rendered
  const shown = useMemo(() => messages.slice(start, end), [messages, start, end])
  const wholeEnd = end === messages.length
  const [place, atEnd] = useReadingPlace(scroller, content, wholeEnd, question)
  const model = modelLabel(providers, head.model)
  useAnnouncedEnd(topic, model)

  const own = messages.at(-1)?.role === 'user' ? messages.at(-1)?.id : undefined
  useEffect(() => {
    if (own === undefined) return
    goToEnd()
    place.toEnd()
  }, [own, goToEnd, place])

  const after = messages[end]
  const placeOf = (said: readonly Message[]): ReplyProps['place'] => {
    const last = said.at(-1)
    const { turn } = topic
    if (!last || (after && isSameReply(last, after)) || last.status === 'streaming') return 'under-way'
    if (turn?.id === last.turnId && turn.status === 'running') return 'under-way'
    const canRetry = turn === undefined || turn.status === 'stopped' || (turn.status === 'finished' && !turn.problem)
    return last === messages.at(-1) && !last.origin && canRetry ? 'last' : 'before'
  }
  useSearchTarget(id, async (target) => {
    if (await rendered.goTo(target.message)) place.toMessage(target)
  })
  const toLatest = () => {
    goToEnd()
    place.toEnd()
  }
  const toFirst = async () => {
    if (await rendered.goTo('start')) place.toStart()
  }
  /** Arrows lead from message to message. Home and End reach messages that are not rendered or not loaded, too. */
  const onKeyDown = (event: KeyboardEvent) => {
    const { target, currentTarget } = event
    const message = target instanceof HTMLElement && target.matches('article') ? target : undefined
    if ((target !== currentTarget && !message) || event.shiftKey || event.altKey) return
    const next = { ArrowUp: message?.previousElementSibling, ArrowDown: message?.nextElementSibling }[event.key]
    if (next instanceof HTMLElement && next.matches('article')) focusMessage(next)
    else if (event.key === 'End') toLatest()
    else if (event.key === 'Home') void toFirst()
    else return
    event.preventDefault()
  }
  return (
    <section
      className="messages scrolls"
      aria-label="Messages"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={place.onPointerDown}
      onScroll={() => {
        place.onScroll()
        rendered.look()
      }}
    >
      <div className="messages-column column-4" ref={content}>
        {start > 0 || loaded.hasEarlier ? (
          <div className="messages-more">
            <Button size="small" disabled={loaded.loading} onClick={() => void rendered.stepEarlier()}>
              {loaded.loading ? 'Loading earlier messages …' : 'Earlier messages'}
            </Button>
            {loaded.problem ? <span role="alert">{loaded.problem}</span> : null}
          </div>
        ) : null}
        <ScrollAnchor span={`${shown[0]?.id} ${shown.at(-1)?.id}`} take={place.take} keep={place.keep}>
          {itemsOf(shown).map(({ key, messages: said }, index) => {
            const [first] = said
            const earlier = index === 0 ? earlierOf(messages, start) : NO_MESSAGES
            const ofFirst = versions.get((earlier[0] ?? first).id)
            return (
              // The versions of a message keep its place, and with it the focus.
              <Boundary
                key={ofFirst ? `after ${ofFirst.after}` : key}
                what="This message"
                text={() => said.map(wordsOf).join('\n')}
              >
                {first.role === 'user' ? (
                  <OwnMessage conversationId={id} message={first} versions={ofFirst} hold={place.hold} />
                ) : (
                  <Reply
                    conversationId={id}
                    messages={said}
                    earlier={earlier}
                    calls={callsOf(said, toolCalls)}
                    author={first.model ? modelLabel(providers, first.model) : model}
                    questionOpen={question !== null}
                    place={placeOf(said)}
                    versions={ofFirst}
                    hold={place.hold}
                    statusBelow={wholeEnd && topic.turn?.id === first.turnId && hasStatus(topic.turn)}
                  />
                )}
              </Boundary>
            )
          })}
        </ScrollAnchor>
        {end < messages.length ? (
          <div className="messages-more">
            <Button size="small" onClick={rendered.stepLater}>
              Newer messages
            </Button>
          </div>
        ) : null}
        {topic.turn && wholeEnd ? (
          <TurnStatus conversationId={id} turn={topic.turn} toolCalls={topic.toolCalls} model={model} />
        ) : null}
      </div>
      {atEnd && wholeEnd ? null : (
        <div className="messages-latest">
          <Button size="small" onClick={toLatest}>
            Go to the latest
          </Button>
        </div>
      )}
    </section>
  )
}

/** Goes to the message that the person chose in the search. */
function useSearchTarget(id: ConversationId, goTo: (target: SearchTarget) => Promise<void>): void {
  const target = useView(({ searchTarget }) => (searchTarget?.conversation === id ? searchTarget : undefined))
  const latest = useRef(goTo)
  latest.current = goTo
  useEffect(() => {
    if (target === undefined) return
    seek(undefined)
    void latest.current(target)
  }, [target])
}

/** Announces the end of a turn that ran while the conversation was open. */
function useAnnouncedEnd({ turn, toolCalls }: ConversationTopic, model: string): void {
  const before = useRef(turn?.status)
  useEffect(() => {
    const was = before.current
    before.current = turn?.status
    if (was !== 'running' || !turn || turn.status === 'running') return
    announce(
      turn.problem?.what ??
        (turn.status === 'finished' ? replyAnnouncement(model, callsOfTurn(turn.id, toolCalls)) : 'The reply was stopped.'),
    )
  }, [turn, toolCalls, model])
}

function wordsOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** The status below the messages says how the turn ended. */
const hasStatus = ({ status, problem }: Turn) => status === 'stopped' || problem !== undefined
