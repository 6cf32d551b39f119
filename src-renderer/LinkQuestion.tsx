import { EmphasisedText } from './content/text/EmphasisedText.tsx'
import { attempt } from './state/attempt.ts'
import { openLink } from './state/open-link.ts'
import { askToLeave, useView } from './state/view-store.ts'
import { ConfirmDialog } from './ui/Dialog.tsx'

const done = () => askToLeave(undefined)

/** Names the whole address before anything is opened outside. */
export function LinkQuestion() {
  const url = useView((view) => view.leavingFor)
  if (url === undefined) return null
  return (
    <ConfirmDialog
      title="Leave Parley for this address?"
      confirm="Visit it"
      onCancel={done}
      onConfirm={() => {
        done()
        void attempt(openLink(url))
      }}
    >
      <p className="link-address framed">
        <EmphasisedText text={url} />
      </p>
      <p className="meta">It comes from a model or a server. It opens in your browser.</p>
    </ConfirmDialog>
  )
}
