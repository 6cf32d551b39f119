import { memo } from 'react'
import type { Message, MessagePart, ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { ContentView } from '../../content/ContentView.tsx'
import { CopyButton } from '../../content/text/CopyButton.tsx'
import { LongText } from '../../content/text/LongText.tsx'
import { MarkdownText } from '../../content/text/MarkdownText.tsx'
import { readWhole } from '../../state/read-text.ts'
import { grouped } from '../../ui/amounts.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { Attachments } from './Attachments.tsx'
import { MessageMenu } from './MessageMenu.tsx'
import { ToolCallCard } from './ToolCallCard.tsx'

export interface MessageViewProps {
  readonly conversationId: ConversationId
  readonly message: Message
  /** The calls of its parts, in their order. */
  readonly calls: readonly ToolCall[]
  /** Who answers: the model's name. */
  readonly author: string
  /** Follows a message of the same author in the same turn. */
  readonly goesOn: boolean
  readonly questionOpen: boolean
}

function sameProps(before: MessageViewProps, now: MessageViewProps): boolean {
  return (
    before.message === now.message &&
    before.author === now.author &&
    before.goesOn === now.goesOn &&
    before.questionOpen === now.questionOpen &&
    before.calls.length === now.calls.length &&
    before.calls.every((call, index) => call === now.calls[index])
  )
}

export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { message, author, goesOn } = props
  const mine = message.role === 'user'
  const words = message.parts.filter((part) => part.type === 'text')
  return (
    <article
      className={mine ? 'message message-mine' : 'message'}
      id={`message-${message.id}`}
      aria-label={mine ? 'You' : author}
      aria-busy={message.status === 'streaming' || undefined}
    >
      {goesOn ? null : (
        <div className="message-head">
          <span className="message-author">{mine ? 'You' : author}</span>
          <span className="meta">
            <RelativeTime at={message.at} />
          </span>
          <span className="message-tools">
            {words.some(({ text }) => text) ? <CopyButton bare label="Copy text" text={() => readWhole(words)} /> : null}
            <MessageMenu conversationId={props.conversationId} message={message} words={words} />
          </span>
        </div>
      )}
      {message.origin ? (
        <div className="meta">
          From the prompt <VisibleText text={message.origin.title || message.origin.prompt} /> of{' '}
          <span className="tool-call-server">
            <VisibleText text={message.origin.serverName} />
          </span>
        </div>
      ) : null}
      <div className="message-parts column-3">
        {message.parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are only appended
          <Part key={index} part={part} {...props} />
        ))}
        {message.status === 'streaming' && message.parts.length === 0 ? (
          <span className="message-cursor" aria-hidden="true" />
        ) : null}
      </div>
      {message.status === 'stopped' ? <div className="meta">You stopped this reply.</div> : null}
      {message.problem ? <ProblemCard problem={message.problem} /> : null}
      {message.usage ? (
        <div className="meta">
          {grouped(message.usage.input)} tokens in,{' '}
          {message.usage.cacheRead ? `${grouped(message.usage.cacheRead)} cached, ` : ''}
          {grouped(message.usage.output)} out
        </div>
      ) : null}
    </article>
  )
}, sameProps)

function Part({ part, message, calls, conversationId, questionOpen }: MessageViewProps & { readonly part: MessagePart }) {
  switch (part.type) {
    case 'text':
      if (part.whole) return <LongText content={part} />
      return message.role === 'user' ? (
        <div className="message-plain" dir="auto">
          <VisibleText text={part.text} />
        </div>
      ) : (
        <div dir="auto">
          <MarkdownText text={part.text} />
        </div>
      )
    case 'thinking':
      return (
        <details className="message-thinking">
          <summary className="meta">Thinking</summary>
          <LongText content={part} />
        </details>
      )
    case 'resource':
    case 'file': {
      // All of them in one list, where the first stands.
      const attached = message.parts.filter((one) => one.type === 'resource' || one.type === 'file')
      return attached[0] === part ? <Attachments conversationId={conversationId} attachments={attached} waiting={false} /> : null
    }
    case 'content':
      return (
        <div className="message-content from-server">
          <ContentView content={part.content} serverId={message.origin?.serverId} />
        </div>
      )
    case 'tool-call': {
      const call = calls.find((candidate) => candidate.id === part.toolCallId)
      return call ? (
        <Boundary what={`The call to ${call.tool}`} text={call.arguments.json}>
          <ToolCallCard conversationId={conversationId} call={call} questionOpen={questionOpen} />
        </Boundary>
      ) : null
    }
  }
}
