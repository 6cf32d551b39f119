import { useEffect, useState } from 'react'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { attempt, failureText } from '../../state/actions.ts'
import { editAndResend, forkConversation, readWhole, retryWith } from '../../state/context-actions.ts'
import { useHost } from '../../state/host-store.ts'
import { findHead, modelGroups, modelKey } from '../../state/selectors.ts'
import { navigate, offerUndo } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Select, TextArea } from '../../ui/fields.tsx'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { Skeleton } from '../../ui/states.tsx'

export interface MessageMenuProps {
  readonly conversationId: ConversationId
  readonly message: Message
  /** What it says. */
  readonly words: readonly BoundedText[]
}

/** What can be done from a message: go on from here elsewhere, say it differently, let another model answer. */
export function MessageMenu({ conversationId, message, words }: MessageMenuProps) {
  const [doing, setDoing] = useState<'editing' | 'choosing'>()
  const idle = useHost((mirror) => findHead(mirror, conversationId)?.turn === 'idle' && mirror.link === 'live')
  const items: MenuItem[] = [
    {
      label: 'Fork from here',
      disabled: !idle,
      onSelect: () => void attempt(forkConversation(conversationId, message.id)),
    },
  ]
  if (message.role === 'user' && !message.origin) {
    items.push({ label: 'Edit and send again', disabled: !idle, onSelect: () => setDoing('editing') })
  }
  items.push({ label: 'Retry with another model', disabled: !idle, onSelect: () => setDoing('choosing') })
  const done = () => setDoing(undefined)
  return (
    <>
      <Menu label="More about this message" items={items} />
      {doing === 'editing' ? <EditDialog conversationId={conversationId} message={message} words={words} onClose={done} /> : null}
      {doing === 'choosing' ? <RetryDialog conversationId={conversationId} onClose={done} /> : null}
    </>
  )
}

/** What was there is a conversation of its own now; a click goes there. */
function offerKept(kept: ConversationId | undefined): void {
  if (kept === undefined) return
  offerUndo({
    text: 'What was said before is kept as a conversation of its own',
    label: 'Go there',
    undo: () => navigate({ section: 'conversations', id: kept }),
  })
}

interface EditDialogProps extends MessageMenuProps {
  readonly onClose: () => void
}

function EditDialog({ conversationId, message, words, onClose }: EditDialogProps) {
  // The head of a long message is not what is to be edited: all of it is read first, once.
  const [said] = useState(words)
  const here = said.every(({ whole }) => whole === undefined)
  const [edited, setEdited] = useState(here ? said.map(({ text }) => text).join('') : undefined)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (here) return
    const controller = new AbortController()
    readWhole(said, controller.signal).then(setEdited, (error: unknown) => {
      if (!controller.signal.aborted) setProblem(failureText(error))
    })
    return () => controller.abort()
  }, [here, said])
  const attached = message.parts.some((part) => part.type === 'resource')
  const sendAgain = async () => {
    if (edited === undefined) return
    setBusy(true)
    const worked = await attempt(
      editAndResend(conversationId, message.id, edited).then(({ kept }) => {
        offerKept(kept)
      }),
    )
    setBusy(false)
    if (worked) onClose()
  }
  return (
    <Dialog
      title="Edit and send again"
      size="wide"
      closeLabel="Close"
      onEscape={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={busy || edited === undefined || (edited.trim() === '' && !attached)}
            onClick={() => void sendAgain()}
          >
            Replace and run
          </Button>
        </>
      }
    >
      {edited !== undefined ? (
        <TextArea label="Your words" rows={8} value={edited} onChange={setEdited} />
      ) : problem !== undefined ? (
        <ProblemCard problem={{ code: 'message', what: problem }} />
      ) : (
        <Skeleton label="Reading the message" />
      )}
      <p className="meta">All that followed is replaced. What is there now is kept whole as another conversation.</p>
    </Dialog>
  )
}

function RetryDialog({ conversationId, onClose }: { readonly conversationId: ConversationId; readonly onClose: () => void }) {
  const providers = useHost((mirror) => mirror.host.providers)
  const present = useHost((mirror) => findHead(mirror, conversationId)?.model ?? mirror.host.settings.defaultModel)
  const [chosen, setChosen] = useState(modelKey(present))
  const [busy, setBusy] = useState(false)
  const groups = modelGroups(providers, present)
  const model = groups.flatMap((group) => group.options).find((option) => option.value === chosen)?.model
  const retry = async () => {
    if (!model) return
    setBusy(true)
    const worked = await attempt(
      retryWith(conversationId, model).then(({ kept }) => {
        offerKept(kept)
      }),
    )
    setBusy(false)
    if (worked) onClose()
  }
  return (
    <Dialog
      title="Retry with another model"
      size="small"
      closeLabel="Close"
      onEscape={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={busy || !model} onClick={() => void retry()}>
            Retry
          </Button>
        </>
      }
    >
      <Select label="Answer with" groups={groups} value={chosen} onChange={setChosen} />
      <p className="meta">Your last message is answered once more. What was said is kept whole as another conversation.</p>
    </Dialog>
  )
}
