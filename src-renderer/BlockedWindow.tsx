import { Button } from './ui/Button.tsx'
import { EmptyState } from './ui/EmptyState.tsx'

/** What stands in the place of everything when this page cannot be used: it has no session, or is of another build. */
export function BlockedWindow({ link }: { readonly link: 'no-session' | 'outdated' }) {
  return (
    <main className="app-boot">
      {link === 'outdated' ? (
        <EmptyState title="Parley was updated" actions={<Button onClick={() => location.reload()}>Reload</Button>}>
          This page is of another version than the Parley that runs. Reload it; drafts are kept.
        </EmptyState>
      ) : (
        <EmptyState title="Open the link printed in the terminal">
          <p>This page has no session with Parley. A link works once and for ten minutes.</p>
          <p>
            Press <kbd>Enter</kbd> in the terminal that runs Parley to get a fresh one.
          </p>
        </EmptyState>
      )}
    </main>
  )
}
