import { useRef, useState } from 'react'
import { ask } from '../../state/ask.ts'
import { useAction } from '../../state/use-action.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { GrantButton } from '../../ui/GrantButton.tsx'
import { dayOf } from '../../ui/time.ts'

/** Replaces a damaged database by the copy from before the damage, once the person confirms. */
export function OpenCopyDialog({ at, onClose }: { readonly at: number; readonly onClose: () => void }) {
  const { busy, problem, run } = useAction()
  const [removing, setRemoving] = useState(false)
  const safe = useRef<HTMLButtonElement>(null)
  const open = async () => {
    if (!busy && (await run(() => ask('data.openCopy', {})))) onClose()
  }
  const remove = async () => {
    if (!busy && (await run(() => ask('data.removeCopy', {})))) onClose()
  }
  if (removing) {
    return (
      <ConfirmDialog
        title={`Remove the copy of ${dayOf(at)}?`}
        confirm="Remove"
        danger
        onCancel={() => setRemoving(false)}
        onConfirm={() => void remove()}
      >
        <p>It is deleted. Data that is missing here can then no longer be restored from it.</p>
        <FailureLine problem={problem} />
      </ConfirmDialog>
    )
  }
  return (
    <Dialog
      size="small"
      title={`Open the copy of ${dayOf(at)}?`}
      onEscape={onClose}
      initialFocus={safe}
      footer={
        <>
          <Button ref={safe} onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={() => setRemoving(true)}>Remove the copy …</Button>
          <GrantButton variant="primary" onGrant={() => void open()}>
            Open the copy
          </GrantButton>
        </>
      }
    >
      <p>
        At the next start, it replaces your conversations, settings and rules. Anything newer is missing from it. Your current
        data is kept in a folder. The copy is offered until you open or remove it.
      </p>
      <FailureLine problem={problem} />
    </Dialog>
  )
}
