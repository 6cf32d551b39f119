import { Fragment } from 'react'
import { setViewing, useView, type Viewing } from '../state/view-store.ts'
import { Dialog } from '../ui/Dialog.tsx'
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
  if (viewing.is === 'resource') return <ResourceReader serverId={viewing.serverId} uri={viewing.uri} />
  const own = isOwn(viewing)
  return viewing.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what a result brought along does not move
    <Fragment key={index}>
      {own && index > 0 ? <h3>Its text, for models that do not take PDF files</h3> : null}
      <ResourceItemView item={item} hideUri={own} label={own ? viewing.title : 'Resource'} />
    </Fragment>
  ))
}
