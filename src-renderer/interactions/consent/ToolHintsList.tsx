import type { ToolHints } from '../../../src-shared/contract/servers.ts'

/** The server's annotations of its tool; where it is silent, the worst of them (TOOL-13). */
export function ToolHintsList({ hints }: { readonly hints: ToolHints }) {
  const { readOnly, destructive, idempotent, openWorld } = hints
  return (
    <p className="meta">
      Server’s hints (not verified):{' '}
      <span className="chips">
        {readOnly ? <span className="chip">Read-only</span> : null}
        {readOnly ? null : destructive ? (
          <span className="chip chip-fail">Destructive</span>
        ) : (
          <span className="chip">Additive</span>
        )}
        {!readOnly && idempotent ? <span className="chip">Idempotent</span> : null}
        <span className="chip">{openWorld ? 'Open world' : 'Closed world'}</span>
      </span>
    </p>
  )
}
