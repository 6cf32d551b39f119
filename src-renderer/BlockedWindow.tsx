import { Button } from './ui/Button.tsx'
import { EmptyState } from './ui/EmptyState.tsx'

/** Replaces the whole page when it cannot be used: it has no session, or is of another build. */
export function BlockedWindow({ link }: { readonly link: 'no-session' | 'outdated' }) {
  return (
    <main className="app-boot column-0">
      <h1 className="unseen">Parley</h1>
      {link === 'outdated' ? (
        <EmptyState title="Parley was updated" actions={<Button onClick={() => location.reload()}>Reload</Button>}>
          Reload this page to use the new version. Drafts are kept.
        </EmptyState>
      ) : (
        <EmptyState title="Open the link printed in the terminal">
          <p>This page has no session. A link works once, for ten minutes.</p>
          <p>
            Press <kbd>Enter</kbd> in that terminal for a fresh one.
          </p>
        </EmptyState>
      )}
    </main>
  )
}
