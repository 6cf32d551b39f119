import { memo, useRef } from 'react'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import type { Message, MessagePart } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import { ContentBlockView } from '../../content/ContentBlockView.tsx'
import { LongText } from '../../content/text/LongText.tsx'
import { MarkdownText } from '../../content/text/MarkdownText.tsx'
import { useWholeText } from '../../state/read-text.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { AttachmentList } from '../attachments/AttachmentList.tsx'
import { Thinking } from '../calls/CallRun.tsx'

interface PartViewProps {
  readonly conversationId: ConversationId
  readonly by: Message['role']
  readonly part: MessagePart
  /** The server of the prompt that it came with. */
  readonly serverId: ServerId | undefined
}

/** One part of a message that is no tool call. */
export const PartView = memo(function PartView({ conversationId, by, part, serverId }: PartViewProps) {
  switch (part.type) {
    case 'text':
      if (by === 'assistant') return <ReplyText content={part} />
      return part.whole ? (
        <LongText content={part} />
      ) : (
        <div className="message-plain" dir="auto">
          <VisibleText text={part.text} />
        </div>
      )
    case 'thinking':
      return <Thinking part={part} />
    case 'resource':
    case 'file':
      return <AttachmentList conversationId={conversationId} attachments={[part]} waiting={false} />
    case 'content':
      return (
        <div className="message-content from-server">
          <ContentBlockView content={part.content} serverId={serverId} />
        </div>
      )
    case 'tool-call':
      return null
  }
})

/** The origin of a message that the person did not write. */
export function MessageOrigin({ message: { origin, imported } }: { readonly message: Message }) {
  if (!origin) return imported ? <div className="meta">Imported</div> : null
  return (
    <div className="meta">
      From the prompt <VisibleText text={origin.title || origin.prompt} /> of{' '}
      <VisibleText as="span" className="tool-call-server" text={origin.serverName} />
      {imported ? ', imported' : null}
    </div>
  )
}

/** In bytes; a longer reply is not rendered as Markdown. */
const MAX_COUNT = 256 * 1024

/** A model's text as Markdown. Only the start of a long one is sent to the page; the rest is read when it is rendered. */
function ReplyText({ content }: { readonly content: BoundedText }) {
  const { text, whole } = content
  // The page has the whole text of a reply that it saw streaming.
  const streamed = useRef(text)
  if (!whole) streamed.current = text
  const known = !whole || new TextEncoder().encode(streamed.current).length === whole.bytes
  const all = useWholeText(known ? { text: streamed.current } : content, MAX_COUNT)
  if (all === null) return <LongText content={content} />
  return (
    <div dir="auto">
      <MarkdownText text={all ?? text} />
    </div>
  )
}
