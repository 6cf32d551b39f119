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

const close = () => setViewing(undefined)

/** The one viewer for resources, links and what results bring along. Stands at the window's top. */
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

/** Attaches what is read to the message of the conversation on screen, or of a new one, and goes there. */
function UseInChat({ serverId, uri }: { readonly serverId: ServerId; readonly uri: string }) {
  const { route } = useView.getState()
  const here = route.section === 'conversations' && route.id !== 'new' ? route.id : undefined
  // The address may name one that is gone; the host says so.
  const [made, setMade] = useState(here as ConversationId | undefined)
  const [confirm, setConfirm] = useState<Confirm>()
  const { busy, problem, run } = useAction()
  // One that was made for it goes with it, unless it was used after all.
  const unused = useRef<ConversationId>(undefined)
  // Where it is not removed, an empty conversation is left.
  useEffect(() => () => void (unused.current && ask('conversation.remove', { id: unused.current }).catch(() => {})), [])
  const attach = (confirmed: boolean) =>
    void run(async () => {
      const id = made ?? (await ask('conversation.create', {})).id
      if (made === undefined) unused.current = id
      setMade(id)
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
        <ProblemCard
          level="warning"
          problem={confirm.why}
          actions={
            <Button disabled={busy} onClick={() => attach(true)}>
              Use anyway
            </Button>
          }
        />
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
