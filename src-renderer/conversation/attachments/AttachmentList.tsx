import { useState } from 'react'
import { type Attachment, isFile, type ResourceAttachment } from '../../../src-shared/contract/attachments.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { attempt } from '../../state/attempt.ts'
import { detach } from '../../state/conversation-actions.ts'
import { setViewing } from '../../state/view-store.ts'
import { bytes, grouped } from '../../ui/amounts.ts'
import { IconButton } from '../../ui/Button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import './attachments.css'
import { FileChip } from './FileChip.tsx'

const AttachmentChanges = onDemand(() => import('./AttachmentChanges.tsx').then((module) => module.AttachmentChanges))

interface AttachmentListProps {
  readonly conversationId: ConversationId
  readonly attachments: readonly Attachment[]
  /** They wait for the next message and can still be removed. */
  readonly waiting: boolean
}

/** The attachments of a message, each with its size, its later changes and its viewer. */
export function AttachmentList({ conversationId, attachments, waiting }: AttachmentListProps) {
  if (attachments.length === 0) return null
  const remove = ({ id, title }: Attachment) =>
    void attempt(detach(conversationId, id, `Removed “${visibleText(title).slice(0, 60)}”`))
  return (
    <ul className="attachments actions" aria-label={waiting ? 'Attached to your message' : 'Attached'}>
      {/* A refreshed attachment replaces the old one and has another id. */}
      {attachments.map((attachment) =>
        isFile(attachment) ? (
          <li key={attachment.id}>
            <FileChip file={attachment} onRemove={waiting ? () => remove(attachment) : undefined} />
          </li>
        ) : (
          <li key={attachment.byApp ? attachment.id : `${attachment.serverId} ${attachment.uri}`}>
            <Chip
              conversationId={conversationId}
              attachment={attachment}
              onRemove={waiting ? () => remove(attachment) : undefined}
            />
          </li>
        ),
      )}
    </ul>
  )
}

interface ChipProps {
  readonly conversationId: ConversationId
  readonly attachment: ResourceAttachment
  readonly onRemove: (() => void) | undefined
}

function Chip({ conversationId, attachment, onRemove }: ChipProps) {
  const [changes, setChanges] = useState(false)
  const title = visibleText(attachment.title)
  const stale = attachment.changedSince !== undefined
  return (
    <span className={stale ? 'attachment small framed attachment-stale' : 'attachment small framed'}>
      <button
        type="button"
        className="attachment-name"
        title={visibleText(`${attachment.serverName}: ${attachment.uri}`)}
        onClick={() =>
          setViewing({
            is: 'items',
            title: attachment.title,
            items: attachment.items,
          })
        }
      >
        <VisibleText text={attachment.title.slice(0, 80)} />
        <span className="meta">
          {bytes(attachment.size)}, about {grouped(attachment.tokens)} tokens
        </span>
      </button>
      {stale ? (
        <button type="button" className="attachment-changed" onClick={() => setChanges(true)}>
          changed since you attached it
        </button>
      ) : attachment.before ? (
        <button type="button" className="attachment-changed" onClick={() => setChanges(true)}>
          refreshed
        </button>
      ) : null}
      {onRemove ? <IconButton label={`Remove ${title}`} icon={<CloseIcon />} onClick={onRemove} /> : null}
      {changes ? (
        <AttachmentChanges conversationId={conversationId} attachment={attachment} onClose={() => setChanges(false)} />
      ) : null}
    </span>
  )
}
