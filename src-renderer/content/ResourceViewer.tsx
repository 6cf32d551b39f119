import { Fragment, useEffect, useRef, useState } from 'react'
import type { Confirm } from '../../src-shared/contract/attachments.ts'
import type { ConversationId, ServerId } from '../../src-shared/contract/ids.ts'
import { ask } from '../state/ask.ts'
import { useAction } from '../state/use-action.ts'
import { announce, navigate, setViewing, useView, type Viewing } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { ResourceItemView } from './ResourceItemView.tsx'
import { ResourceReader } from './ResourceReader.tsx'
import { SizeQuestion } from './SizeQuestion.tsx'

const close = () => setViewing(undefined)

/** The viewer of resources, links and embedded content, at the top of the window. */
export function ResourceViewer() {
  const viewing = useView((view) => view.viewing)
  if (!viewing) return null
  return (
    <Dialog
      title={`${isOwn(viewing) ? 'File' : 'Resource'}: ${visibleText(viewing.title).slice(0, 200)}`}
      size="wide"
      closeLabel="Close"
      onEscape={close}
      onOutside={close}
    >
      <Viewed viewing={viewing} />
    </Dialog>
  )
}

const isOwn = (viewing: Viewing) => viewing.is === 'items' && viewing.own === true

function Viewed({ viewing }: { readonly viewing: Viewing }) {
  if (viewing.is === 'resource') {
    return (
      <>
        <UseInChat serverId={viewing.serverId} uri={viewing.uri} />
        <ResourceReader serverId={viewing.serverId} uri={viewing.uri} />
      </>
    )
  }
  const own = isOwn(viewing)
  return viewing.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what a result brought along does not move
    <Fragment key={index}>
      {own && index > 0 ? <h3>Its text, for models that do not take PDF files</h3> : null}
      <ResourceItemView item={item} hideUri={own} label={own ? viewing.title : 'Resource'} />
    </Fragment>
  ))
}

/** Attaches the resource to the conversation on screen or to a new one, and goes there. */
function UseInChat({ serverId, uri }: { readonly serverId: ServerId; readonly uri: string }) {
  const { route } = useView.getState()
  const here = route.section === 'conversations' && route.id !== 'new' ? route.id : undefined
  // The address may name a removed conversation; the host then refuses.
  const [target, setTarget] = useState(here as ConversationId | undefined)
  const [confirm, setConfirm] = useState<Confirm>()
  const { busy, problem, run } = useAction()
  // A conversation created for this is removed again when it stays unused.
  const unused = useRef<ConversationId>(undefined)
  // If removing fails, an empty conversation remains.
  useEffect(() => () => void (unused.current && ask('conversation.remove', { id: unused.current }).catch(() => {})), [])
  const attach = (confirmed: boolean) =>
    void run(async () => {
      const id = target ?? (await ask('conversation.create', {})).id
      if (target === undefined) unused.current = id
      setTarget(id)
      const answer = await ask('conversation.attachResource', { id, serverId, uri, ...(confirmed && { confirmed }) })
      if (answer.is === 'confirm') return setConfirm(answer)
      unused.current = undefined
      announce(`Attached ${answer.attachment.title}`)
      close()
      navigate({ section: 'conversations', id })
    })
  return (
    <>
      <ProblemCard problem={problem} />
      {confirm ? (
        <SizeQuestion asked={confirm} label="Use anyway" busy={busy} onConfirm={() => attach(true)} />
      ) : (
        <div>
          <Button disabled={busy} onClick={() => attach(false)}>
            Use in chat
          </Button>
        </div>
      )}
    </>
  )
}
