import { useCallback, useState } from 'react'
import { TellingText } from './content/text/TellingText.tsx'
import { attempt, openLink } from './state/actions.ts'
import { ConfirmDialog } from './ui/Dialog.tsx'

export interface LinkAsking {
  /** The address that waits for a yes. */
  readonly url: string | undefined
  readonly ask: (url: string) => void
  readonly done: () => void
}

export function useLinkQuestion(): LinkAsking {
  const [url, setUrl] = useState<string>()
  const done = useCallback(() => setUrl(undefined), [])
  return { url, ask: setUrl, done }
}

/** Names the whole address before anything is opened outside. */
export function LinkQuestion({ url, onDone }: { readonly url: string; readonly onDone: () => void }) {
  return (
    <ConfirmDialog
      title="Leave Parley for this address?"
      confirm="Visit it"
      onCancel={onDone}
      onConfirm={() => {
        onDone()
        void attempt(openLink(url))
      }}
    >
      <p className="link-address">
        <TellingText text={url} />
      </p>
      <p className="meta">It comes from a model or a server. It opens in your browser.</p>
    </ConfirmDialog>
  )
}
