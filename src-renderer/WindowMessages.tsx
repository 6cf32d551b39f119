import { ask } from './state/ask.ts'
import { attempt } from './state/attempt.ts'
import { useHost } from './state/host-store.ts'
import { offerUndo, showFailure, useView } from './state/view-store.ts'
import { Button, IconButton } from './ui/Button.tsx'
import { CloseIcon } from './ui/icons.tsx'
import { onDemand } from './ui/on-demand.tsx'
import { ProblemCard } from './ui/ProblemCard.tsx'

const UndoBar = onDemand(() => import('./ui/UndoBar.tsx').then((module) => module.UndoBar))

/** Messages about the whole window, above its screen. */
export function StatusBars() {
  return (
    <>
      <LinkBar />
      <FailureBar />
      <Notices />
    </>
  )
}

/** Says that what is shown may be old. */
function LinkBar() {
  const link = useHost((mirror) => mirror.link)
  if (link === 'live') return null
  return (
    <div className="bar bar-wait" role="alert">
      Connection to Parley lost. This may be out of date. Reconnecting …
    </div>
  )
}

/** Why the last click had no effect. */
function FailureBar() {
  const failure = useView((view) => view.failure)
  if (failure === undefined) return null
  return (
    <div className="bar bar-fail" role="alert">
      <span className="grow">{failure}</span>
      <IconButton label="Dismiss" icon={<CloseIcon />} onClick={() => showFailure(undefined)} />
    </div>
  )
}

function Notices() {
  const notices = useHost((mirror) => mirror.host.notices)
  if (notices.length === 0) return null
  return (
    <section className="notices column" aria-label="Notices">
      {notices.map((notice) => (
        <ProblemCard
          key={notice.id}
          problem={notice.problem}
          level={notice.level}
          actions={
            <Button size="small" onClick={() => void attempt(ask('notice.dismiss', { id: notice.id }))}>
              Dismiss
            </Button>
          }
        />
      ))}
    </section>
  )
}

/** Takes back what was just done. */
export function UndoOffer() {
  const undoable = useView((view) => view.undoable)
  if (!undoable) return null
  return (
    <div className="app-undo">
      <UndoBar
        key={undoable.text}
        text={undoable.text}
        label={undoable.label}
        onDismiss={dismissUndo}
        onUndo={() => {
          dismissUndo()
          undoable.undo()
        }}
      />
    </div>
  )
}

const dismissUndo = () => offerUndo(undefined)

/** Announcements to screen readers that do not move the focus. */
export function LiveRegion() {
  const announcement = useView((view) => view.announcement)
  return (
    <div className="unseen" role="status" aria-live="polite">
      {announcement}
    </div>
  )
}
