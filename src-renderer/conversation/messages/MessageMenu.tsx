import { useEffect, useState } from 'react'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { ModelSelect } from '../../forms/ModelSelect.tsx'
import { ask } from '../../state/ask.ts'
import { attempt, failureText } from '../../state/attempt.ts'
import { forkConversation } from '../../state/conversation-actions.ts'
import { useHost } from '../../state/host-store.ts'
import { readWhole } from '../../state/read-text.ts'
import { findHead } from '../../state/selectors.ts'
import { editMessage, navigate, offerUndo, useView } from '../../state/view-store.ts'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

export interface MessageMenuProps {
  readonly conversationId: ConversationId
  readonly message: Message
  /** What it says. */
  readonly words: readonly BoundedText[]
}

/** What can be done from a message: go on from here elsewhere, say it differently, let another model answer. */
export function MessageMenu({ conversationId, message, words }: MessageMenuProps) {
  const [doing, setDoing] = useState<'choosing'>()
  const editing = useView((view) => view.editing === message.id)
  const idle = useHost((mirror) => findHead(mirror, conversationId)?.turn === 'idle' && mirror.link === 'live')
  const items: MenuItem[] = [
    {
      label: 'Fork from here',
      disabled: !idle,
      onSelect: () => void attempt(forkConversation(conversationId, message.id)),
    },
  ]
  if (message.role === 'user' && !message.origin) {
    items.push({ label: 'Edit and send again', disabled: !idle, onSelect: () => editMessage(message.id) })
  }
  items.push({ label: 'Retry with another model', disabled: !idle, onSelect: () => setDoing('choosing') })
  const done = () => setDoing(undefined)
  return (
    <>
      <Menu label="More about this message" items={items} />
      {editing ? (
        <EditDialog conversationId={conversationId} message={message} words={words} onClose={() => editMessage(undefined)} />
      ) : null}
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
    const text = edited ?? ''
    offerKept((await ask('conversation.editAndResend', { id: conversationId, messageId: message.id, text })).kept)
  }
  return (
    <FormDialog
      title="Edit and send again"
      size="wide"
      verb="Replace and run"
      disabled={edited === undefined || (edited.trim() === '' && !attached)}
      onSubmit={sendAgain}
      onClose={onClose}
    >
      {edited !== undefined ? (
        <TextArea label="Your words" rows={8} value={edited} onChange={setEdited} />
      ) : problem !== undefined ? (
        <ProblemCard problem={{ code: 'message', what: problem }} />
      ) : (
        <Skeleton label="Reading the message" />
      )}
      <p className="meta">All that followed is replaced. What is there now is kept whole as another conversation.</p>
    </FormDialog>
  )
}

function RetryDialog({ conversationId, onClose }: { readonly conversationId: ConversationId; readonly onClose: () => void }) {
  const present = useHost((mirror) => findHead(mirror, conversationId)?.model ?? mirror.host.settings.defaultModel)
  const [model, setModel] = useState(present)
  const retry = async () => offerKept((await ask('turn.retryWith', { id: conversationId, model })).kept)
  return (
    <FormDialog title="Retry with another model" size="small" verb="Retry" onSubmit={retry} onClose={onClose}>
      <ModelSelect label="Answer with" value={model} onChange={setModel} />
      <p className="meta">Your last message is answered once more. What was said is kept whole as another conversation.</p>
    </FormDialog>
  )
}
