import { memo } from 'react'
import type { Message, MessagePart } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import { ContentBlockView } from '../../content/ContentBlockView.tsx'
import { LongText } from '../../content/text/LongText.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { AttachmentList } from '../attachments/AttachmentList.tsx'
import { Thinking } from '../calls/CallRun.tsx'
import { ReplyText } from './ReplyText.tsx'

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
