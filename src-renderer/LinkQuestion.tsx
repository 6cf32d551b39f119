import { useCallback, useState } from 'react'
import { type WebAddress, webAddress } from '../src-shared/base/web-address.ts'
import { attempt, openLink } from './state/actions.ts'
import { showFailure } from './state/view-store.ts'
import { AddressView } from './ui/AddressView.tsx'
import { ConfirmDialog } from './ui/Dialog.tsx'

export interface LinkAsking {
  /** The address that waits for a yes. */
  readonly address: WebAddress | undefined
  readonly ask: (url: string) => void
  readonly done: () => void
}

export function useLinkQuestion(): LinkAsking {
  const [address, setAddress] = useState<WebAddress>()
  const ask = useCallback((url: string) => {
    const read = webAddress(url)
    if (read) setAddress(read)
    else showFailure('This link leads to no address of the web.')
  }, [])
  const done = useCallback(() => setAddress(undefined), [])
  return { address, ask, done }
}

/** Names the whole address before anything is opened outside; what was shown is what opens. */
export function LinkQuestion({ address, onDone }: { readonly address: WebAddress; readonly onDone: () => void }) {
  return (
    <ConfirmDialog
      title="Leave Parley for this address?"
      confirm="Visit it"
      onCancel={onDone}
      onConfirm={() => {
        onDone()
        void attempt(openLink(address.href))
      }}
    >
      <AddressView address={address} />
      <p className="meta">It comes from a model or a server. It opens in your browser.</p>
    </ConfirmDialog>
  )
}
