import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, MessageId } from '../../../src-shared/contract/ids.ts'
import { whyHeld } from '../../../src-shared/contract/queue.ts'
import type { ConversationTopic } from '../../../src-shared/contract/topics.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { removeQueued, takeQueued } from '../../state/conversation-actions.ts'
import { counted } from '../../ui/amounts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { CloseIcon, EditIcon } from '../../ui/icons.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import './composer.css'

/** Characters of a message in its row. */
const EXCERPT = 200

const HELD: Readonly<Record<NonNullable<ReturnType<typeof whyHeld>>, string>> = {
  failed: 'The reply failed.',
  stopped: 'The reply was stopped.',
  interrupted: 'The reply was interrupted.',
  denied: 'A call was denied.',
}

interface QueuedMessagesProps {
  readonly id: ConversationId
  readonly topic: ConversationTopic
  readonly queue: readonly Message[]
  readonly running: boolean
  readonly live: boolean
  /** Puts the focus into the message field. */
  readonly onTaken: () => void
}

/** The messages that wait for the end of the reply, next first, and why they are held after it. */
export function QueuedMessages({ id, topic, queue, running, live, onTaken }: QueuedMessagesProps) {
  const { turn, toolCalls } = topic
  const held = running || !turn ? undefined : whyHeld(turn, Object.values(toolCalls))
  const take = async (messageId: MessageId) => {
    await attempt(takeQueued(id, messageId))
    onTaken()
  }
  return (
    <section className="queued" aria-label="Waiting messages">
      <p className="meta" role="status">
        Waiting: {queue.length}
        {running ? '' : `. ${held ? HELD[held] : 'Not sent yet.'}`}
      </p>
      <ol className="queued-list">
        {queue.map((message) => (
          <li key={message.id} className="row">
            <VisibleText as="span" className="one-line grow" text={excerptOf(message)} />
            <Button
              size="small"
              variant="quiet"
              disabled={!live}
              onClick={() => void attempt(ask('queue.send', { id, messageId: message.id }))}
            >
              {running ? 'Send now' : 'Send'}
            </Button>
            <IconButton label="Edit" icon={<EditIcon />} disabled={!live} onClick={() => void take(message.id)} />
            <IconButton
              label="Remove"
              icon={<CloseIcon />}
              disabled={!live}
              onClick={() => void attempt(removeQueued(id, message.id)).then(onTaken)}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}

function excerptOf({ parts }: Message): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const attached = parts.filter(({ type }) => type === 'file' || type === 'resource').length
  const begins = text.slice(0, EXCERPT).replace(/\s+/g, ' ').trim()
  return [begins, attached > 0 && counted(attached, 'attachment')].filter(Boolean).join(' · ')
}
