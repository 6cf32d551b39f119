import { useState } from 'react'
import { type Attachment, type Confirm, isFile, type ResourceAttachment } from '../../../src-shared/contract/attachments.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { ResourceDiff } from '../../content/ResourceDiff.tsx'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { takeBack } from '../../state/conversation-actions.ts'
import { useAction } from '../../state/use-action.ts'
import { setViewing } from '../../state/view-store.ts'
import { bytes, grouped } from '../../ui/amounts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { FileChip } from './FileChip.tsx'

export interface AttachmentsProps {
  readonly conversationId: ConversationId
  readonly attachments: readonly Attachment[]
  /** They wait for the next message, so that they can be taken back. */
  readonly waiting: boolean
}

/** What goes with a message, or went: each with its size, what changed since, and a way to look at it. */
export function Attachments({ conversationId, attachments, waiting }: AttachmentsProps) {
  if (attachments.length === 0) return null
  return (
    <ul className="attachments" aria-label={waiting ? 'Attached to your message' : 'Attached'}>
      {/* A refreshed one takes the place of the old, under another id. */}
      {attachments.map((attachment) =>
        isFile(attachment) ? (
          <li key={attachment.id}>
            <FileChip conversationId={conversationId} file={attachment} waiting={waiting} />
          </li>
        ) : (
          <li key={`${attachment.serverId} ${attachment.uri}`}>
            <Chip conversationId={conversationId} attachment={attachment} waiting={waiting} />
          </li>
        ),
      )}
    </ul>
  )
}

interface ChipProps {
  readonly conversationId: ConversationId
  readonly attachment: ResourceAttachment
  readonly waiting: boolean
}

function Chip({ conversationId, attachment, waiting }: ChipProps) {
  const [changes, setChanges] = useState(false)
  const title = visibleText(attachment.title)
  const stale = attachment.changedSince !== undefined
  return (
    <span className={stale ? 'attachment attachment-stale' : 'attachment'}>
      <button
        type="button"
        className="attachment-name"
        title={visibleText(`${attachment.serverName}: ${attachment.uri}`)}
        onClick={() =>
          setViewing({
            is: 'items',
            title: attachment.title,
            items: attachment.items,
            serverId: attachment.serverId,
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
      {waiting ? (
        <IconButton
          label={`Remove ${title}`}
          icon={<CloseIcon />}
          onClick={() => void attempt(takeBack(conversationId, attachment.id, `Took back “${title.slice(0, 60)}”`))}
        />
      ) : null}
      {changes ? <Changes conversationId={conversationId} attachment={attachment} onClose={() => setChanges(false)} /> : null}
    </span>
  )
}

interface ChangesProps {
  readonly conversationId: ConversationId
  readonly attachment: ResourceAttachment
  readonly onClose: () => void
}

/** Reads it anew on a click and shows what is different; the model gets what is attached and nothing newer. */
function Changes({ conversationId, attachment, onClose }: ChangesProps) {
  const [refreshed, setRefreshed] = useState<ResourceAttachment>()
  // One that waits is replaced in its place; of one that was sent, the new one waits for the next message.
  const fresh = refreshed ?? attachment
  const [confirm, setConfirm] = useState<Confirm>()
  const { busy, problem, run } = useAction()
  const refresh = (confirmed: boolean) =>
    void run(async () => {
      const which = { id: conversationId, attachmentId: attachment.id }
      const answer = await ask('conversation.refreshAttachment', { ...which, ...(confirmed && { confirmed }) })
      setConfirm(answer.is === 'confirm' ? answer : undefined)
      if (answer.is === 'attached') setRefreshed(answer.attachment)
    })
  return (
    <Dialog
      title={`What changed in ${visibleText(attachment.title).slice(0, 100)}`}
      size="wide"
      closeLabel="Close"
      onEscape={onClose}
      onOutside={onClose}
    >
      {fresh.before ? (
        <ResourceDiff before={fresh.before.items} now={fresh.items} />
      ) : (
        <p>The server says that it changed. The model gets it as it was when you attached it, unless you refresh it.</p>
      )}
      {problem === undefined ? null : <ProblemCard problem={{ code: 'refresh', what: problem }} />}
      {confirm ? (
        <ProblemCard
          level="warning"
          problem={{ code: 'confirm', what: confirm.why }}
          actions={
            <Button disabled={busy} onClick={() => refresh(true)}>
              Refresh it all the same
            </Button>
          }
        />
      ) : null}
      <div className="actions">
        <Button variant="primary" disabled={busy} onClick={() => refresh(false)}>
          Refresh
        </Button>
        <Button onClick={onClose}>Keep it as it is</Button>
      </div>
    </Dialog>
  )
}
