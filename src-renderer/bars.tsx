import { attempt, dismissNotice } from './state/actions.ts'
import { useHost } from './state/host-store.ts'
import { offerUndo, showFailure, useView } from './state/view-store.ts'
import { Button, IconButton } from './ui/Button.tsx'
import { CloseIcon } from './ui/icons.tsx'
import { ProblemCard } from './ui/ProblemCard.tsx'
import { EmptyState } from './ui/states.tsx'
import { UndoBar } from './ui/UndoBar.tsx'

/** Says that what is shown may be old. */
export function LinkBar() {
  const link = useHost((mirror) => mirror.link)
  if (link === 'live') return null
  return (
    <div className="bar bar-wait" role="alert">
      The link to Parley is lost. What you see may be old. Trying again …
    </div>
  )
}

/** Why the last click had no effect. */
export function FailureBar() {
  const failure = useView((view) => view.failure)
  if (failure === undefined) return null
  return (
    <div className="bar bar-fail" role="alert">
      <span className="bar-text">{failure}</span>
      <IconButton label="Dismiss" icon={<CloseIcon />} onClick={() => showFailure(undefined)} />
    </div>
  )
}

/** What the host wants everyone to know. */
export function Notices() {
  const notices = useHost((mirror) => mirror.host.notices)
  if (notices.length === 0) return null
  return (
    <section className="notices" aria-label="Notices">
      {notices.map((notice) => (
        <ProblemCard
          key={notice.id}
          problem={notice.problem}
          level={notice.level}
          actions={
            <Button size="small" onClick={() => void attempt(dismissNotice(notice.id))}>
              Dismiss
            </Button>
          }
        />
      ))}
    </section>
  )
}

export function Undo() {
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

/** What screen readers are told without moving the focus. */
export function LiveRegion() {
  const announcement = useView((view) => view.announcement)
  return (
    <div className="unseen" role="status" aria-live="polite">
      {announcement}
    </div>
  )
}

export function NoSession() {
  return (
    <main className="app-boot">
      <EmptyState title="Open the link printed in the terminal">
        <p>This page has no session with Parley. A link works once and for ten minutes.</p>
        <p>
          Press <kbd>Enter</kbd> in the terminal that runs Parley to get a fresh one.
        </p>
      </EmptyState>
    </main>
  )
}

export function Outdated() {
  return (
    <main className="app-boot">
      <EmptyState title="Parley was updated" actions={<Button onClick={() => location.reload()}>Reload</Button>}>
        This page is of another version than the Parley that runs. Reload it; drafts are kept.
      </EmptyState>
    </main>
  )
}
