import { attempt } from './state/attempt.ts'
import { openLink } from './state/open-link.ts'
import { askToOpenLink, useView } from './state/view-store.ts'
import { AddressView } from './ui/AddressView.tsx'
import { ConfirmDialog } from './ui/Dialog.tsx'

const done = () => askToOpenLink(undefined)

/** Names the whole address before anything is opened outside; what was shown is what opens. */
export function LinkQuestion() {
  const address = useView((view) => view.linkToOpen)
  if (address === undefined) return null
  return (
    <ConfirmDialog
      title="Open this link?"
      confirm="Visit it"
      onCancel={done}
      onConfirm={() => {
        done()
        void attempt(openLink(address.href))
      }}
    >
      <AddressView address={address} />
      <p className="meta">It comes from a model or a server, and opens in your browser.</p>
    </ConfirmDialog>
  )
}
