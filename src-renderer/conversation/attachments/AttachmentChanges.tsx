import { useState } from 'react'
import type { Confirm, ResourceAttachment } from '../../../src-shared/contract/attachments.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { ResourceDiff } from '../../content/ResourceDiff.tsx'
import { SizeQuestion } from '../../content/SizeQuestion.tsx'
import { ask } from '../../state/ask.ts'
import { useAction } from '../../state/use-action.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { visibleText } from '../../ui/visible-text.ts'

interface AttachmentChangesProps {
  readonly conversationId: ConversationId
  readonly attachment: ResourceAttachment
  readonly onClose: () => void
}

/** Reads the resource again on a click and shows the differences; the model gets the attached version and nothing newer. */
export function AttachmentChanges({ conversationId, attachment, onClose }: AttachmentChangesProps) {
  const [refreshed, setRefreshed] = useState<ResourceAttachment>()
  // A waiting attachment is replaced; the new version of a sent one waits for the next message.
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
        <p>The server says this changed. The model gets the version you attached unless you refresh it.</p>
      )}
      <ProblemCard problem={problem} />
      {confirm ? <SizeQuestion asked={confirm} label="Refresh anyway" busy={busy} onConfirm={() => refresh(true)} /> : null}
      <div className="actions">
        <Button variant="primary" disabled={busy} onClick={() => refresh(false)}>
          Refresh
        </Button>
        <Button onClick={onClose}>Keep this version</Button>
      </div>
    </Dialog>
  )
}
